package dev.sluice.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.campaign.Campaign;
import dev.sluice.testing.Depth;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.h2.api.ErrorCode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process that inserts into a database and is killed, or whose files must not grow: no acknowledged row is lost. */
@EnabledOnOs(OS.LINUX)
class KilledDatabaseTest {

    private static final int LIMIT_SECONDS = 60;
    private static final int MAX_ROWS = 200;
    private static final long MAX_FILE_BYTES = 200_000;

    @TempDir
    Path directory;

    private String path;
    private final int[] acknowledged = new int[InsertingProgram.WRITERS];
    private final StringBuilder output = new StringBuilder();

    @BeforeAll
    static void register() {
        FilePathSluice.register();
    }

    @BeforeEach
    void resolve() throws IOException {
        path = "sluice:" + directory.toRealPath() + "/db";
        Arrays.fill(acknowledged, -1);
    }

    private Process start() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-Xmx128m", "-Dsluice.native=" + Bindings.current().name()));
        if (Runtime.version().feature() > 17) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), InsertingProgram.class.getName(), path));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** {@return whether the line says that a row is in the database} */
    private boolean note(String line) {
        if (!line.startsWith(InsertingProgram.ACKNOWLEDGED) || !line.endsWith(".")) {
            output.append(line).append('\n');
            return false;
        }
        String[] row = line.substring(1, line.length() - 1).split(" ");
        acknowledged[Integer.parseInt(row[0])] = Integer.parseInt(row[1]);
        return true;
    }

    private static BufferedReader lines(Process program) {
        return new BufferedReader(new InputStreamReader(program.getInputStream(), StandardCharsets.UTF_8));
    }

    private void awaitRows(BufferedReader lines, int count) throws IOException {
        for (int rows = 0; rows < count;) {
            String line = lines.readLine();
            assertNotNull(line, output::toString);
            rows += note(line) ? 1 : 0;
        }
    }

    @Test
    @Tag(Campaign.TAG)
    void killedProcessLosesNothingThatIsAcknowledged() throws Exception {
        Campaign campaign = Campaign.begin("killed database");
        for (int run = 0; run < Campaign.count(1, 200); run++) {
            Random random = campaign.random(run);
            Process program = start();
            try (BufferedReader lines = lines(program)) {
                awaitRows(lines, 1);
                assertLocked();
                awaitRows(lines, random.nextInt(MAX_ROWS));
                // SIGKILL; Process.destroyForcibly would close the output, too.
                assertTrue(program.toHandle().destroyForcibly());
                // What it has printed before its end counts as well.
                lines.lines().forEach(this::note);
                assertTrue(program.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS));
            } finally {
                program.destroyForcibly();
            }
            assertComplete(campaign + ", run " + run);
        }
    }

    /** The program is another process that has the database open. */
    private void assertLocked() {
        SQLException e = assertThrows(SQLException.class,
                () -> DriverManager.getConnection(InsertingProgram.url(path)).close());
        assertEquals(ErrorCode.DATABASE_ALREADY_OPEN_1, e.getErrorCode(), e.toString());
    }

    private void assertComplete(String run) throws SQLException {
        try (Connection connection = DriverManager.getConnection(InsertingProgram.url(path));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT writer, number, text FROM entries ORDER BY 1, 2")) {
            int[] next = new int[InsertingProgram.WRITERS];
            while (rows.next()) {
                int writer = rows.getInt(1);
                assertEquals(next[writer], rows.getInt(2), () -> run + ": rows of writer " + writer);
                assertEquals(InsertingProgram.text(writer, next[writer]), rows.getString(3));
                next[writer]++;
            }
            for (int writer = 0; writer < next.length; writer++) {
                int written = next[writer];
                int last = acknowledged[writer];
                assertTrue(written > last, () -> run + ": " + written + " rows, and acknowledged " + last);
                // One insert was in progress.
                assertTrue(written <= last + 2, () -> run + ": " + written + " rows, and acknowledged " + last);
                acknowledged[writer] = written - 1;
            }
        }
    }

    @Test
    @Tag(Depth.IN_MATRIX)
    void processWhoseFileMustNotGrowLosesNothing() throws Exception {
        Process program = start();
        try (BufferedReader lines = lines(program)) {
            awaitRows(lines, 1);
            assertEquals(0, new ProcessBuilder("prlimit", "--fsize=" + MAX_FILE_BYTES, "--pid",
                    Long.toString(program.pid())).inheritIO().start().waitFor());
            lines.lines().forEach(this::note);
            assertTrue(program.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS));
        } finally {
            program.destroyForcibly();
        }
        String failure = output.toString();
        assertTrue(failure.contains(InsertingProgram.FAILED) && failure.contains("EFBIG")
                && failure.contains("pwrite"), failure);
        assertComplete("limited file");
    }
}
