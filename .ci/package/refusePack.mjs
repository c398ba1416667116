// Runs before the checkout is packed: its package.json is not the package's.
console.error("cardlake: The checkout is not the package. Run: npm run build && npm pack ./dist")
process.exit(1)
