;; What of a page's bytes the parsed value no longer shows, 16 bytes at a time. pageScan.wasm is made of this file; see pageScan.ts.
(module
  ;; From 0: the greatest integer that a double carries. From 64: the page, and 64 bytes of 0 behind it.
  (memory (export "memory") 1)
  (data (i32.const 0) "9007199254740991")

  ;; Whether a number has more digits than a double carries; whether one has an exponent below -99; whether a blank stands before a colon.
  (global $long (export "long") (mut i32) (i32.const 0))
  (global $tiny (export "tiny") (mut i32) (i32.const 0))
  (global $blank (export "blank") (mut i32) (i32.const 0))

  ;; 0xff for every byte from 0 to 9
  (func $digits (param $bytes v128) (result v128)
    (i8x16.lt_u (i8x16.sub (local.get $bytes) (i8x16.splat (i32.const 0x30))) (i8x16.splat (i32.const 10))))

  ;; Whether a number can begin behind this byte: : , [ - or a blank
  (func $opens (param $byte i32) (result i32)
    (i32.or
      (i32.or (i32.eq (local.get $byte) (i32.const 0x3a)) (i32.eq (local.get $byte) (i32.const 0x2c)))
      (i32.or
        (i32.or (i32.eq (local.get $byte) (i32.const 0x5b)) (i32.eq (local.get $byte) (i32.const 0x2d)))
        (call $isBlank (local.get $byte)))))

  (func $isBlank (param $byte i32) (result i32)
    (i32.or
      (i32.or (i32.eq (local.get $byte) (i32.const 0x20)) (i32.eq (local.get $byte) (i32.const 0x09)))
      (i32.or (i32.eq (local.get $byte) (i32.const 0x0a)) (i32.eq (local.get $byte) (i32.const 0x0d)))))

  ;; A run of 16 or more digits and dots from $from to $to: is it a number that a double rounds?
  (func $checkRun (param $from i32) (param $to i32)
    (local $at i32) (local $byte i32) (local $limit i32)
    (if (i32.eqz (call $opens (i32.load8_u (i32.sub (local.get $from) (i32.const 1))))) (then (return)))
    (if (i32.or
          (i32.gt_u (i32.sub (local.get $to) (local.get $from)) (i32.const 16))
          (i32.eq (i32.or (i32.load8_u (local.get $to)) (i32.const 0x20)) (i32.const 0x65)))
      (then (global.set $long (i32.const 1)) (return)))
    (loop $next
      (local.set $byte (i32.load8_u (i32.add (local.get $from) (local.get $at))))
      (local.set $limit (i32.load8_u (local.get $at)))
      (if (i32.gt_u (local.get $byte) (local.get $limit)) (then (global.set $long (i32.const 1)) (return)))
      (if (i32.lt_u (local.get $byte) (local.get $limit)) (then (return)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $at) (i32.const 16)))))

  ;; An exponent of three digits or more from $at: does the number end behind them?
  (func $checkExponent (param $at i32)
    (local $byte i32)
    (loop $next
      (local.set $byte (i32.load8_u (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.lt_u (i32.sub (local.get $byte) (i32.const 0x30)) (i32.const 10))))
    (if (i32.or
          (i32.or (i32.eq (local.get $byte) (i32.const 0x2c)) (i32.eq (local.get $byte) (i32.const 0x7d)))
          (i32.or (i32.eq (local.get $byte) (i32.const 0x5d)) (call $isBlank (local.get $byte))))
      (then (global.set $tiny (i32.const 1)))))

  ;; The number of colons right behind a quote in the $length bytes from 64 on.
  (func (export "scan") (param $length i32) (result i32)
    (local $at i32) (local $end i32) (local $keys i32) (local $run i32) (local $mask i32) (local $lead i32)
    (local $v v128) (local $before v128) (local $colons v128) (local $blanks v128)
    (global.set $long (i32.const 0))
    (global.set $tiny (i32.const 0))
    (local.set $at (i32.const 64))
    (local.set $end (i32.add (local.get $length) (i32.const 64)))
    (loop $block
      (local.set $v (v128.load (local.get $at)))
      (local.set $before (v128.load (i32.sub (local.get $at) (i32.const 1))))

      ;; keys, and blanks before colons
      (local.set $colons (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x3a))))
      (local.set $keys (i32.add (local.get $keys) (i32.popcnt (i8x16.bitmask
        (v128.and (local.get $colons) (i8x16.eq (local.get $before) (i8x16.splat (i32.const 0x22))))))))
      (local.set $blanks (v128.or (local.get $blanks)
        (v128.and (local.get $colons) (i8x16.le_u (local.get $before) (i8x16.splat (i32.const 0x20))))))

      ;; 5e-324: a digit, an e, a minus, three digits
      (if (v128.any_true (v128.and
            (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x2d)))
            (i8x16.eq (v128.or (local.get $before) (i8x16.splat (i32.const 0x20))) (i8x16.splat (i32.const 0x65)))))
        (then
          (local.set $mask (i8x16.bitmask (v128.and
            (v128.and
              (v128.and
                (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x2d)))
                (i8x16.eq (v128.or (local.get $before) (i8x16.splat (i32.const 0x20))) (i8x16.splat (i32.const 0x65))))
              (call $digits (v128.load (i32.sub (local.get $at) (i32.const 2)))))
            (v128.and
              (call $digits (v128.load offset=1 (local.get $at)))
              (v128.and
                (call $digits (v128.load offset=2 (local.get $at)))
                (call $digits (v128.load offset=3 (local.get $at))))))))
          (block $none
            (loop $each
              (br_if $none (i32.eqz (local.get $mask)))
              (call $checkExponent (i32.add (i32.add (local.get $at) (i32.ctz (local.get $mask))) (i32.const 1)))
              (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
              (br $each)))))

      ;; Runs of digits and dots: $run of them end at $at, $lead of them begin there.
      (local.set $mask (i8x16.bitmask (v128.or
        (call $digits (local.get $v)) (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x2e))))))
      (if (i32.eq (local.get $mask) (i32.const 0xffff))
        (then (local.set $run (i32.add (local.get $run) (i32.const 16))))
        (else
          (local.set $lead (i32.ctz (i32.xor (local.get $mask) (i32.const -1))))
          (if (i32.ge_u (i32.add (local.get $run) (local.get $lead)) (i32.const 16))
            (then (call $checkRun
              (i32.sub (local.get $at) (local.get $run)) (i32.add (local.get $at) (local.get $lead)))))
          (local.set $run (i32.clz (i32.shl (i32.xor (local.get $mask) (i32.const -1)) (i32.const 16))))))

      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      ;; As far as the block behind the end, which ends every run.
      (br_if $block (i32.le_u (local.get $at) (local.get $end))))
    (global.set $blank (v128.any_true (local.get $blanks)))
    (local.get $keys)))
