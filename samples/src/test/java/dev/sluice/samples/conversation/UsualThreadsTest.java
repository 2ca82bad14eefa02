package dev.sluice.samples.conversation;

import dev.sluice.samples.Patience;
import dev.sluice.samples.ProcessFigures;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many threads servers have that nobody has told. */
@EnabledOnOs(OS.LINUX)
class UsualThreadsTest {

    @TempDir
    private Path directory;

    /** Where Java sees three processors: a server, what the names of its threads begin with, and how many it has. */
    @ParameterizedTest
    @CsvSource({
        "web, web-, 3",
        "web --io proactive, web-, 3",
        "web --concurrency leader-followers, pool, 3",
        "web --concurrency half-sync-half-async, worker, 3",
        "web --concurrency concurrent-proactor, web-, 3",
        "web --concurrency thread-pool, pool, 16",
        "web --concurrency leader-followers --adapt 60, pool, 3",
        "web --concurrency thread-pool --adapt 60, pool, 16",
        "web --also 0=half-sync-half-async, worker, 3",
        "web --also 0=thread-pool, pool, 16",
        "gopher ., gopher-, 3",
        "gopher . --concurrency leader-followers, pool, 3",
        "echo, echo-, 3",
        "echo --pattern proactor, echo-, 3",
        "echo --concurrency half-sync-half-async, worker, 3",
        "echo --concurrency thread-pool, pool, 16",
        "oltp-back --data DIRECTORY, pool, 16",
        "oltp-back --data DIRECTORY --concurrency reactor-per-thread, oltp-back-, 1"})
    void areAsManyAsProcessorsUnlessTheyWait(String sample, String prefix, int count) throws Exception {
        String[] command = (sample.replace("DIRECTORY", directory.toString()) + " --port 0").split(" ");
        try (RunningSample server = SampleCommand.of(command).withOption("-XX:ActiveProcessorCount=3").start()) {
            server.awaitReadyLine();
            ProcessFigures figures = server.figures();
            Patience.until("there are " + count + " of " + prefix, () -> figures.countOfThreads(prefix) == count);
            server.stop();
        }
    }
}
