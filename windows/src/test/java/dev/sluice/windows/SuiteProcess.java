package dev.sluice.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;

/**
 * A JVM for Windows in which {@link SuiteRun} runs tests, as tests of this JVM: one for each class, as soon as it has
 * ended, and a last one for the end of the process.
 */
final class SuiteProcess {

    /** A run that is not over by then hangs, and is killed. */
    private static final Duration LIMIT = Duration.ofMinutes(20);

    private final Process process;
    private final Path directory;
    private final BufferedReader output;
    private int classes;
    private boolean hasEnded;

    /**
     * Starts the process.
     *
     * @param builder   of the process
     * @param directory in which it works, which is deleted at the end
     */
    SuiteProcess(ProcessBuilder builder, Path directory) throws IOException {
        this.directory = directory;
        process = builder.start();
        // A build that is broken off in the middle leaves no process behind.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        CompletableFuture.delayedExecutor(LIMIT.toSeconds(), TimeUnit.SECONDS).execute(process::destroyForcibly);
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** {@return the tests, which wait for the process; it ends with the stream} */
    Stream<DynamicTest> tests() {
        return StreamSupport.stream(new AbstractSpliterator<DynamicTest>(Long.MAX_VALUE, Spliterator.ORDERED) {
            @Override
            public boolean tryAdvance(Consumer<? super DynamicTest> action) {
                if (hasEnded) {
                    return false;
                }
                try {
                    action.accept(next());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return true;
            }
        }, false).onClose(this::end);
    }

    private DynamicTest next() throws IOException {
        StringBuilder failures = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            // A test may have printed before it, without an end of line.
            int mark = line.indexOf(SuiteRun.MARK);
            if (mark < 0) {
                continue;
            }
            String[] fields = line.substring(mark + SuiteRun.MARK.length()).split("\t");
            if (fields[0].equals("class")) {
                classes++;
                String name = "%s: %s passed, %s skipped".formatted(fields[1], fields[2], fields[3]);
                return dynamicTest(name, () -> assertEquals("0", fields[4], failures::toString));
            }
            failures.append(String.join("\t", fields)).append('\n');
        }
        hasEnded = true;
        return dynamicTest("the process ends", () -> {
            assertEquals(0, process.waitFor(), () -> "exit code, after " + failures);
            assertTrue(classes > 0, "no class of tests has been found");
        });
    }

    private void end() {
        process.destroyForcibly();
        try {
            process.waitFor();
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
