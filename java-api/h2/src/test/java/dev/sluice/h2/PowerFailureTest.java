package dev.sluice.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.campaign.Campaign;
import dev.sluice.campaign.power.FailedDisk;
import dev.sluice.campaign.power.Lie;
import dev.sluice.campaign.power.RecordedDisk;
import dev.sluice.campaign.power.Tearing;
import dev.sluice.handle.DirectoryHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A database after a power failure at any point has each row that was committed before a {@code CHECKPOINT SYNC}. H2
 * finds that the end of a write is missing; a sector missing in the middle it would not find.
 */
@Tag(Campaign.TAG)
@EnabledOnOs(OS.LINUX)
class PowerFailureTest {

    private static final int ROWS = 120;
    private static final int ROWS_PER_SYNC = 10;
    private static final int RUNS_OF_A_LIE = 100;
    private static final String DATABASE = "recorded";
    private static final String SETTINGS = ";WRITE_DELAY=0";

    @TempDir
    Path directory;

    @Test
    void whatWasForcedIsThere() throws Exception {
        FilePathSluice.register();
        Campaign campaign = Campaign.begin("power failure under H2");
        RecordedDisk recorded = record(Lie.NONE);
        for (int run = 0; run < Campaign.count(8, 5_000); run++) {
            failPower(recorded, campaign.random(run), campaign + ", run " + run);
        }
    }

    @Test
    void forcesThatAreNotExecutedAreFound() throws Exception {
        FilePathSluice.register();
        Campaign campaign = Campaign.begin("disk under H2 that does not force");
        RecordedDisk recorded = record(Lie.CONTENTS);
        assertTrue(recorded.points() > 1, "nothing is recorded");
        assertThrows(AssertionError.class, () -> {
            for (int run = 0; run < RUNS_OF_A_LIE; run++) {
                failPower(recorded, campaign.random(run), campaign + ", run " + run);
            }
        });
    }

    private void failPower(RecordedDisk recorded, Random random, String run) throws Exception {
        int first = 0;
        while (recorded.acknowledged(first) < 0) {
            first++;
        }
        int point = first + random.nextInt(recorded.points() - first);
        FailedDisk failed = recorded.disk(point, Tearing.END, random);
        assertRecovered(failed.files().get(DATABASE + ".mv.db"), recorded.acknowledged(point), run);
    }

    private RecordedDisk record(Lie lie) throws SQLException, IOException {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        try (RecordedDisk recorded = RecordedDisk.install(disk, lie);
                Connection connection = DriverManager.getConnection("jdbc:h2:sluice:" + disk.toAbsolutePath()
                + "/" + DATABASE + SETTINGS); Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE entries(id INT PRIMARY KEY, text VARCHAR)");
            statement.execute("CREATE TABLE others(id INT PRIMARY KEY, text VARCHAR)");
            statement.execute("CHECKPOINT SYNC");
            // H2 does not, and a new file has no name before.
            try (DirectoryHandle names = DirectoryHandle.open(disk)) {
                names.force();
            }
            recorded.acknowledge(0);
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO entries VALUES (?, ?)")) {
                for (int i = 1; i <= ROWS; i++) {
                    insert.setInt(1, i);
                    insert.setString(2, text(i));
                    insert.executeUpdate();
                    // Frees space again.
                    statement.execute("MERGE INTO others VALUES (" + i % 7 + ", REPEAT('" + i + "', 300))");
                    if (i % ROWS_PER_SYNC == 0) {
                        statement.execute("CHECKPOINT SYNC");
                        recorded.acknowledge(i);
                    }
                }
            }
            // Closing it in order would write a second file, in which it is compact.
            statement.execute("SHUTDOWN IMMEDIATELY");
            return recorded;
        }
    }

    private static String text(int row) {
        return (row + ", ").repeat(1 + row % 60);
    }

    private void assertRecovered(byte[] file, long acknowledged, String run) throws Exception {
        Path copy = directory.resolve("copy.mv.db");
        Files.write(copy, file);
        try (Connection connection = DriverManager.getConnection("jdbc:h2:" + directory.toAbsolutePath() + "/copy"
                + SETTINGS + ";IFEXISTS=TRUE"); Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery("SELECT id, text FROM entries ORDER BY id")) {
                int last = 0;
                while (rows.next()) {
                    assertEquals(last + 1, rows.getInt(1), run);
                    last = rows.getInt(1);
                    assertEquals(text(last), rows.getString(2), run);
                }
                assertTrue(last >= acknowledged, run + ": " + last + " rows, and acknowledged " + acknowledged);
            }
            statement.execute("SHUTDOWN IMMEDIATELY");
        } catch (SQLException e) {
            throw new AssertionError(run + ": acknowledged " + acknowledged + ", and not opened", e);
        } finally {
            Files.deleteIfExists(copy);
        }
    }
}
