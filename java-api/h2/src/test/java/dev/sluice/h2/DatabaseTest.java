package dev.sluice.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform.Os;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.OtherSystem;
import dev.sluice.handle.SystemCallException;
import dev.sluice.testing.Depth;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.api.ErrorCode;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.MVStoreTool;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** H2's MVStore and its SQL databases on files of {@link FilePathSluice}. */
class DatabaseTest extends LeakChecked {

    private static final int ENTRIES = 2_000;

    @TempDir
    Path directory;

    private Path folder;

    @BeforeAll
    static void register() throws SQLException {
        FilePathSluice.register();
        // H2 opens for the life of the process what it needs, such as a source of random numbers.
        DriverManager.getConnection("jdbc:h2:mem:").close();
    }

    @BeforeEach
    void resolve() throws Exception {
        folder = directory.toRealPath();
    }

    private String url(String nested, String settings) {
        return "jdbc:h2:" + nested + folder + "/db" + settings;
    }

    private static String value(int key) {
        return Integer.toString(key).repeat(1 + key % 50);
    }

    private static long count(Statement statement, String table) throws SQLException {
        try (ResultSet result = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            assertTrue(result.next());
            return result.getLong(1);
        }
    }

    /** {@return the failure of a system call that led to a failure of H2, or null} */
    private static SystemCallException systemCall(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof SystemCallException)) {
            cause = cause.getCause();
        }
        return (SystemCallException) cause;
    }

    /** By the locks that these systems have, as Linux plays them. */
    @ParameterizedTest
    @EnumSource(names = {"MACOS", "FREEBSD", "OPENBSD"})
    @EnabledOnOs(OS.LINUX)
    void storeIsOpenedByOneOnTheOtherSystems(Os os) {
        String name = "sluice:" + folder + "/store";
        try (OtherSystem played = OtherSystem.play(os)) {
            for (int i = 0; i < 2; i++) {
                try (MVStore store = MVStore.open(name)) {
                    MVMap<Integer, String> map = store.openMap("values");
                    assertEquals(i, map.size());
                    map.put(i, value(i));
                    store.sync();
                    assertThrows(MVStoreException.class, () -> MVStore.open(name).close());
                }
            }
        }
    }

    @Test
    @Tag(Depth.BINDING)
    @Tag(Depth.IN_QUICK)
    void storeIsWrittenReadAgainAndCompacted() {
        String name = folder + "/store";
        try (MVStore store = MVStore.open("sluice:" + name)) {
            MVMap<Integer, String> map = store.openMap("values");
            for (int i = 0; i < ENTRIES; i++) {
                map.put(i, value(i));
                if (i % 500 == 0) {
                    store.commit();
                }
            }
            store.sync();
        }
        // H2's own file system reads it as well.
        for (String prefix : new String[] {"sluice:", ""}) {
            try (MVStore store = new MVStore.Builder().fileName(prefix + name).cacheSize(0).open()) {
                MVMap<Integer, String> map = store.openMap("values");
                assertEquals(ENTRIES, map.size());
                for (int i = 0; i < ENTRIES; i++) {
                    assertEquals(value(i), map.get(i));
                }
            }
        }
        MVStoreTool.compact("sluice:" + name, true);
        try (MVStore store = new MVStore.Builder().fileName("sluice:" + name).readOnly().open()) {
            assertEquals(value(77), store.<Integer, String>openMap("values").get(77));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sluice:", "split:20:sluice:", "sluice:nio:"})
    void databaseIsWrittenAndReadAgain(String nested) throws Exception {
        try (Connection connection = DriverManager.getConnection(url(nested, ""));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE entries(id INT PRIMARY KEY, text VARCHAR, large CLOB)");
            statement.execute("INSERT INTO entries SELECT x, REPEAT(x, 50), REPEAT('abc', 5000) FROM "
                    + "SYSTEM_RANGE(1, 200)");
            connection.setAutoCommit(false);
            statement.execute("DELETE FROM entries");
            connection.rollback();
        }
        try (Connection connection = DriverManager.getConnection(url(nested, ";IFEXISTS=TRUE"));
                Statement statement = connection.createStatement()) {
            assertEquals(200, count(statement, "entries WHERE text = REPEAT(id, 50) AND LENGTH(large) = 15000"));
            statement.execute("BACKUP TO '" + folder + "/backup.zip'");
            statement.execute("SHUTDOWN COMPACT");
        }
        assertTrue(Files.size(folder.resolve("backup.zip")) > 0);
        try (Connection connection = DriverManager.getConnection(url(nested, ";IFEXISTS=TRUE"));
                Statement statement = connection.createStatement()) {
            assertEquals(200, count(statement, "entries"));
        }
    }

    @Test
    void encryptedDatabaseIsReadAgain() throws Exception {
        String url = url("sluice:", ";CIPHER=AES;USER=sa;PASSWORD=file user");
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE entries AS SELECT x AS id FROM SYSTEM_RANGE(1, 100)");
        }
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            assertEquals(100, count(statement, "entries"));
        }
    }

    @Test
    void openDatabaseIsLocked() throws Exception {
        Path file = folder.resolve("store");
        try (MVStore store = MVStore.open("sluice:" + file)) {
            assertNotNull(store.getFileStore());
            for (String prefix : new String[] {"sluice:", "", "async:"}) {
                MVStoreException e = assertThrows(MVStoreException.class, () -> MVStore.open(prefix + file).close());
                assertTrue(e.getMessage().startsWith("The file is locked"), e.getMessage());
            }
        }
        try (FileChannel jdk = FileChannel.open(file, StandardOpenOption.WRITE); FileLock lock = jdk.lock()) {
            assertTrue(lock.isValid());
            MVStoreException e = assertThrows(MVStoreException.class, () -> MVStore.open("sluice:" + file).close());
            assertTrue(e.getMessage().startsWith("The file is locked"), e.getMessage());
        }
        MVStore.open("sluice:" + file).close();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void fullDiskIsReportedAndLosesNothing() throws Exception {
        String url = url("sluice:", ";WRITE_DELAY=0");
        try (FaultInjection faults = FaultInjection.install()) {
            Connection connection = DriverManager.getConnection(url);
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE entries AS SELECT x AS id FROM SYSTEM_RANGE(1, 100)");
                faults.failEach("pwrite", Errno.ENOSPC);
                SQLException e = assertThrows(SQLException.class,
                        () -> statement.execute("INSERT INTO entries SELECT x FROM SYSTEM_RANGE(101, 200)"));
                SystemCallException cause = systemCall(e);
                assertNotNull(cause, e.toString());
                assertEquals("ENOSPC", cause.errorName());
                assertTrue(cause.getMessage().contains(folder + "/db.mv.db"), cause.getMessage());
            }
            assertClosed(connection);
        }
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            assertEquals(100, count(statement, "entries"));
        }
    }

    /** H2 closes a database whose file has failed. */
    private static void assertClosed(Connection connection) {
        SQLException e = assertThrows(SQLException.class, () -> count(connection.createStatement(), "entries"));
        assertEquals(ErrorCode.DATABASE_IS_CLOSED, e.getErrorCode(), e.toString());
        // H2 would close it during another test otherwise, after a collection of garbage, and write its trace.
        assertNotNull(systemCall(assertThrows(SQLException.class, connection::close)));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void storeStopsAfterAFailedForce() {
        String name = "sluice:" + folder + "/store";
        try (FaultInjection faults = FaultInjection.install()) {
            MVStore store = new MVStore.Builder().fileName(name).autoCommitDisabled().open();
            MVMap<Integer, String> map = store.openMap("values");
            map.put(1, "durable");
            store.commit();
            store.sync();
            map.put(2, "lost");
            store.commit();
            faults.failNth("fsync", 1, Errno.EIO);
            SystemCallException first = systemCall(assertThrows(MVStoreException.class, store::sync));
            assertNotNull(first);
            assertEquals("EIO", first.errorName());
            // The system would succeed now.
            assertEquals(first, systemCall(assertThrows(MVStoreException.class, store::sync)));
            map.put(3, "refused");
            assertEquals(first, systemCall(assertThrows(MVStoreException.class, store::commit)));
            assertTrue(store.isClosed());
            store.closeImmediately();
        }
        try (MVStore store = MVStore.open(name)) {
            MVMap<Integer, String> map = store.openMap("values");
            assertEquals("durable", map.get(1));
            assertNull(map.get(3));
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void databaseStopsAfterAFailedForce() throws Exception {
        String url = url("sluice:", ";WRITE_DELAY=0");
        try (FaultInjection faults = FaultInjection.install()) {
            Connection connection = DriverManager.getConnection(url);
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE entries AS SELECT x AS id FROM SYSTEM_RANGE(1, 100)");
                statement.execute("CHECKPOINT SYNC");
                faults.failNth("fsync", 1, Errno.EIO);
                SQLException e = assertThrows(SQLException.class, () -> statement.execute("CHECKPOINT SYNC"));
                assertNotNull(systemCall(e), e.toString());
                assertThrows(SQLException.class, () -> statement.execute("INSERT INTO entries VALUES (101)"));
            }
            assertClosed(connection);
        }
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            assertEquals(100, count(statement, "entries"));
        }
    }
}
