package dev.sluice.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients of an SQL database that are interrupted at random, under load. On H2's own file system the first interrupt
 * that meets a read or write of the file closes the database for all of them.
 */
@Tag(Depth.REPEATED)
class InterruptedClientsTest {

    private static final int CLIENTS = 3;
    private static final int ROWS = 400;
    private static final int ROW_BYTES = 4_000;
    private static final int LIMIT_SECONDS = 60;
    private static final long MAX_PAUSE = TimeUnit.MICROSECONDS.toNanos(500);

    @TempDir
    Path directory;

    private final AtomicInteger interrupts = new AtomicInteger();
    private volatile boolean stops;

    /** With a cache much smaller than the table, so that most queries read the file. */
    private Connection connect(String prefix) throws SQLException {
        return DriverManager.getConnection("jdbc:h2:" + prefix + directory.toAbsolutePath() + "/db;CACHE_SIZE=256");
    }

    private static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE pages(id INT PRIMARY KEY, text VARCHAR)");
            statement.execute("INSERT INTO pages SELECT x, REPEAT(CHAR(65 + MOD(x, 26)), " + ROW_BYTES
                    + ") FROM SYSTEM_RANGE(0, " + (ROWS - 1) + ")");
            statement.execute("CREATE TABLE counters(id INT PRIMARY KEY, number INT)");
            statement.execute("INSERT INTO counters SELECT x, 0 FROM SYSTEM_RANGE(0, " + (CLIENTS - 1) + ")");
            statement.execute("CHECKPOINT");
        }
    }

    private static void readPage(PreparedStatement query, int id) throws SQLException {
        query.setInt(1, id);
        try (ResultSet result = query.executeQuery()) {
            assertTrue(result.next());
            assertEquals(String.valueOf((char) ('A' + id % 26)).repeat(ROW_BYTES), result.getString(1));
        }
    }

    /** How often a client has counted up, and how often it may have, since H2 has reported an interrupt. */
    private record Counted(int surely, int possibly) {
    }

    /** Reads pages and counts up, until it fails or is stopped. */
    private Counted run(Connection connection, int client) throws SQLException {
        Random random = new Random(client);
        int surely = 0;
        int possibly = 0;
        try (PreparedStatement query = connection.prepareStatement("SELECT text FROM pages WHERE id = ?");
                PreparedStatement update = connection.prepareStatement(
                        "UPDATE counters SET number = number + 1 WHERE id = " + client)) {
            while (!stops) {
                boolean updates = random.nextInt(8) == 0;
                try {
                    if (updates) {
                        assertEquals(1, update.executeUpdate());
                        surely++;
                    } else {
                        readPage(query, random.nextInt(ROWS));
                    }
                } catch (SQLException e) {
                    // Where H2 sleeps until it gets a lock, an interrupt ends the statement, and nothing else.
                    if (!isCausedBy(InterruptedException.class, e)) {
                        throw e;
                    }
                    interrupts.incrementAndGet();
                    possibly += updates ? 1 : 0;
                }
                if (Thread.interrupted()) {
                    interrupts.incrementAndGet();
                }
            }
        }
        return new Counted(surely, possibly);
    }

    private interface Outcome {
        void of(List<FutureTask<Counted>> clients) throws Exception;
    }

    private void load(String prefix, int enough, Outcome outcome) throws Exception {
        List<Connection> connections = new ArrayList<>();
        List<FutureTask<Counted>> clients = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int client = i;
            Connection connection = connect(prefix);
            connections.add(connection);
            FutureTask<Counted> task = new FutureTask<>(() -> run(connection, client));
            clients.add(task);
            threads.add(new Thread(task, "client " + i));
        }
        threads.forEach(Thread::start);
        Random random = new Random(7);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (interrupts.get() < enough && clients.stream().noneMatch(FutureTask::isDone)) {
            assertTrue(System.nanoTime() - end < 0, () -> interrupts + " interrupts");
            LockSupport.parkNanos(1 + (long) (random.nextDouble() * MAX_PAUSE));
            threads.get(random.nextInt(CLIENTS)).interrupt();
        }
        stops = true;
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
        }
        outcome.of(clients);
        for (Connection connection : connections) {
            connection.close();
        }
    }

    @Test
    void databaseOnSluiceServesAllClientsOn() throws Exception {
        FilePathSluice.register();
        try (Connection first = connect("sluice:")) {
            create(first);
            load("sluice:", Depth.times(50, 150, 20_000), clients -> {
                try (Statement statement = first.createStatement()) {
                    for (int i = 0; i < CLIENTS; i++) {
                        assertCounted(statement, i, clients.get(i).get(LIMIT_SECONDS, TimeUnit.SECONDS));
                    }
                }
            });
        }
        try (Connection again = connect("sluice:");
                PreparedStatement query = again.prepareStatement("SELECT text FROM pages WHERE id = ?")) {
            for (int i = 0; i < ROWS; i++) {
                readPage(query, i);
            }
        }
    }

    private static void assertCounted(Statement statement, int client, Counted counted) throws SQLException {
        try (ResultSet result = statement.executeQuery("SELECT number FROM counters WHERE id = " + client)) {
            assertTrue(result.next());
            int number = result.getInt(1);
            assertTrue(number >= counted.surely() && number <= counted.surely() + counted.possibly(),
                    () -> number + " is not what was counted: " + counted);
        }
    }

    /** If this fails, H2 has got files that no interrupt closes, and the test above may find nothing. */
    @Test
    void databaseOnTheDefaultFileSystemIsClosedForAllClients() throws Exception {
        // H2's name of its default file system, which addresses without a prefix have as well.
        String prefix = "nio:";
        Connection uninterrupted = connect(prefix);
        create(uninterrupted);
        load(prefix, Integer.MAX_VALUE, clients -> {
            Throwable failure = null;
            for (FutureTask<Counted> client : clients) {
                try {
                    client.get(LIMIT_SECONDS, TimeUnit.SECONDS);
                } catch (ExecutionException e) {
                    failure = isCausedBy(ClosedChannelException.class, e) ? e : failure;
                }
            }
            assertNotNull(failure, "no client has failed because the file is closed");
        });
        SQLException e = assertThrows(SQLException.class, () -> {
            try (PreparedStatement query = uninterrupted.prepareStatement("SELECT text FROM pages WHERE id = ?")) {
                for (int i = 0; i < ROWS; i++) {
                    readPage(query, i);
                }
            }
        });
        assertTrue(isCausedBy(ClosedChannelException.class, e), e::toString);
        // H2 would close it during another test otherwise, in order, which does not end if its file is closed.
        try (Statement statement = uninterrupted.createStatement()) {
            statement.execute("SHUTDOWN IMMEDIATELY");
        }
        uninterrupted.close();
    }

    private static boolean isCausedBy(Class<? extends Exception> type, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }
}
