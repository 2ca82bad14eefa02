package dev.sluice.h2;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A program whose threads insert rows into a database, until it is killed or an insert fails. It prints a line for each
 * row whose insert has returned.
 */
final class InsertingProgram {

    static final int WRITERS = 3;
    /** Begins the line of a row that is acknowledged: {@code =WRITER NUMBER.}, complete only with the dot. */
    static final String ACKNOWLEDGED = "=";
    /** Begins the line of an insert that has failed. */
    static final String FAILED = "!";

    private static final int INSERTS_PER_CHECKPOINT = 20;
    /**
     * Held for each statement. H2 writes its maps one after the other, and does not keep other connections from
     * committing meanwhile: its authors say that this is no snapshot of all maps. Without the lock, one of several
     * hundred kills took back a row that had been acknowledged, and kept the next one.
     */
    private static final ReentrantLock ALONE = new ReentrantLock();

    private InsertingProgram() {
    }

    /** {@return the address of the database, in which an insert returns when it is in the file} */
    static String url(String path) {
        return "jdbc:h2:" + path + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
    }

    /** {@return the text of a row} */
    static String text(int writer, int number) {
        return (writer + " " + number + ", ").repeat(1 + number % 40);
    }

    /** Runs with the path of the database, as in an address. */
    public static void main(String[] arguments) throws Exception {
        FilePathSluice.register();
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (Connection connection = DriverManager.getConnection(url(arguments[0]));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS entries(writer INT, number INT, text VARCHAR)");
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                int first = nextNumber(statement, writer);
                threads.add(new Thread(() -> insert(arguments[0], writer, first, out), "writer " + i));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            // Each insert has failed, and so would closing the database.
            Runtime.getRuntime().halt(0);
        }
    }

    private static int nextNumber(Statement statement, int writer) throws SQLException {
        try (ResultSet result = statement.executeQuery(
                "SELECT COALESCE(MAX(number) + 1, 0) FROM entries WHERE writer = " + writer)) {
            result.next();
            return result.getInt(1);
        }
    }

    private static void insert(String path, int writer, int first, PrintStream out) {
        try (Connection connection = DriverManager.getConnection(url(path));
                Statement checkpoint = connection.createStatement();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO entries VALUES (?, ?, ?)")) {
            for (int number = first;; number++) {
                insert.setInt(1, writer);
                insert.setInt(2, number);
                insert.setString(3, text(writer, number));
                ALONE.lock();
                try {
                    insert.executeUpdate();
                    out.println(ACKNOWLEDGED + writer + " " + number + ".");
                    if (number % INSERTS_PER_CHECKPOINT == writer) {
                        checkpoint.execute("CHECKPOINT SYNC");
                    }
                } finally {
                    ALONE.unlock();
                }
            }
        } catch (SQLException e) {
            StringBuilder failure = new StringBuilder(FAILED);
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                failure.append(cause).append("; ");
            }
            out.println(failure.toString().replace('\n', ' '));
        }
    }
}
