package dev.sluice.samples.oltp.bank;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/** Where the database is, and how a connection to it is set up. */
final class Database {

    private static final String FILE = "bank.db";
    /** How the names begin of what the driver unpacks. */
    private static final String LIBRARY = "sqlite-";
    private static final String LIBRARY_DIRECTORY = "org.sqlite.tmpdir";

    private final Path file;

    /** In a directory that this process alone uses. */
    Database(Path directory) throws IOException {
        file = directory.resolve(FILE);
        prepareLibrary(directory.resolve("native"));
    }

    /**
     * The driver unpacks its native library into a file before it loads it, and deletes the file when the process ends
     * in order. This method deletes the files that killed processes have left, so that they do not accumulate. Other
     * files there are not touched.
     */
    private static synchronized void prepareLibrary(Path directory) throws IOException {
        if (System.getProperty(LIBRARY_DIRECTORY) != null) {
            return;
        }
        Files.createDirectories(directory);
        List<Path> left;
        try (Stream<Path> files = Files.list(directory)) {
            left = files.filter(each -> each.getFileName().toString().startsWith(LIBRARY)).toList();
        }
        for (Path each : left) {
            Files.delete(each);
        }
        System.setProperty(LIBRARY_DIRECTORY, directory.toString());
    }

    /** Opens the connection that writes. */
    Connection openWriter() throws SQLException {
        Connection connection = connect("IMMEDIATE");
        try {
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Opens one that only reads. */
    Connection openReader() throws SQLException {
        return connect("DEFERRED");
    }

    private Connection connect(String transactionMode) throws SQLException {
        Properties pragmas = new Properties();
        pragmas.setProperty("journal_mode", "WAL");
        pragmas.setProperty("synchronous", "FULL");
        // fsync(2) on macOS leaves the octets in the drive's cache; elsewhere this changes nothing.
        pragmas.setProperty("fullfsync", "true");
        // Carried over into the tables less often, and in larger pieces, than every 1000 pages.
        pragmas.setProperty("wal_autocheckpoint", "4000");
        pragmas.setProperty("transaction_mode", transactionMode);
        return DriverManager.getConnection("jdbc:sqlite:" + file, pragmas);
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
