import java.net.InetSocketAddress;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.rest.RESTCatalogAdapter;
import org.apache.iceberg.rest.RESTCatalogServlet;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

/** Apache's REST catalogue for Iceberg, on 127.0.0.1, with its database in the folder given. */
public class ServeCatalogue {
  public static void main(String[] arguments) throws Exception {
    var catalogue =
        CatalogUtil.buildIcebergCatalog(
            "catalogue",
            Map.of(
                "catalog-impl", "org.apache.iceberg.jdbc.JdbcCatalog",
                "uri", "jdbc:sqlite:" + arguments[0] + "/catalogue.db",
                "jdbc.schema-version", "V1",
                "io-impl", "org.apache.iceberg.hadoop.HadoopFileIO",
                "warehouse", arguments[0]),
            new Configuration());
    var server = new Server(new InetSocketAddress("127.0.0.1", 0));
    var paths = new ServletContextHandler();
    paths.addServlet(new ServletHolder(new RESTCatalogServlet(new RESTCatalogAdapter(catalogue))), "/*");
    server.setHandler(paths);
    server.start();
    System.out.println("http://127.0.0.1:" + server.getURI().getPort());
    // It ends with the program that started it.
    while (System.in.read() >= 0) {}
    System.exit(0);
  }
}
