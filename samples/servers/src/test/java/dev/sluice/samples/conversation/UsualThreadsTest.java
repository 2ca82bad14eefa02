package dev.sluice.samples.conversation;

import dev.sluice.samples.Patience;
import dev.sluice.samples.ProcessFigures;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The default number of threads of each server. */
@EnabledOnOs(OS.LINUX)
class UsualThreadsTest {

    @TempDir
    private Path directory;

    /** A server, the prefix of the names of its threads, and their number: 0 stands for that of the processors. */
    @ParameterizedTest
    @CsvSource({
        "web, web-, 0",
        "web --io proactive, web-, 0",
        "web --concurrency leader-followers, pool, 0",
        "web --concurrency half-sync-half-async, worker, 0",
        "web --concurrency concurrent-proactor, web-, 0",
        "web --concurrency thread-pool, pool, 16",
        "web --concurrency leader-followers --adapt 60, pool, 0",
        "web --concurrency thread-pool --adapt 60, pool, 16",
        "web --also 0=half-sync-half-async, worker, 0",
        "web --also 0=thread-pool, pool, 16",
        "gopher ., gopher-, 0",
        "gopher . --concurrency leader-followers, pool, 0",
        "echo, echo-, 0",
        "echo --pattern proactor, echo-, 0",
        "echo --concurrency half-sync-half-async, worker, 0",
        "echo --concurrency thread-pool, pool, 16",
        "oltp-back --data DIRECTORY, pool, 16",
        "oltp-back --data DIRECTORY --concurrency reactor-per-thread, oltp-back-, 1"})
    void areAsManyAsProcessorsUnlessTheyWait(String sample, String prefix, int count) throws Exception {
        int expected = count == 0 ? Runtime.getRuntime().availableProcessors() : count;
        try (RunningSample server = command(sample).start()) {
            assertThreads(server, prefix, expected);
        }
    }

    @Test
    void areAsManyAsTheProcessorsThatJavaSees() throws Exception {
        try (RunningSample server = command("echo").withOption("-XX:ActiveProcessorCount=3").start()) {
            assertThreads(server, "echo-", 3);
        }
    }

    private SampleCommand command(String sample) {
        return SampleCommand.of((sample.replace("DIRECTORY", directory.toString()) + " --port 0").split(" "));
    }

    private static void assertThreads(RunningSample server, String prefix, int count) throws Exception {
        server.awaitReadyLine();
        ProcessFigures figures = server.figures();
        Patience.until(() -> "there are " + count + " of " + prefix, () -> figures.countOfThreads(prefix) == count);
        server.stop();
    }
}
