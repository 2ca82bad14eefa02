package dev.sluice.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.sluice.testing.Depth;
import dev.sluice.testing.HangListener;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    /** What Wine writes when its server has crashed: the processes in it hang then, and do not end. */
    private static final String WINE_CRASHED = "wineserver crashed";

    /** A run that is not over by then hangs, and is killed. */
    private static final Duration LIMIT = Duration.ofMinutes(Depth.current() == Depth.MATRIX ? 60 : 5);

    /** A test that has not ended by then ends the process, and is named. */
    private static final Duration DEADLINE = Duration.ofMinutes(Depth.current() == Depth.MATRIX ? 10 : 2);

    /** The tags of all that run on Windows without C2; campaigns run in their short form. */
    static final String ALL = "!optimized";

    private static final String LEFT_OUT = " & !not-windows & !stress & !acceptance & !foreign & !packaged";

    private final Process process;
    private final Path directory;
    private final BufferedReader output;
    /** What standard error says of a test that hangs, or of a crash of Wine. */
    private volatile String cause = "";
    private boolean isComplete;
    private boolean hasEnded;

    /**
     * Runs tests of the library in a JVM for Windows.
     *
     * @param feature of the JVM
     * @param binding to make the calls with
     * @param cut     the tags of the tests that an ordinary build runs
     * @param whole   the tags of those that {@code -Pwindows} runs
     * @return a test for each of their classes, and one for the end of the process
     */
    static Stream<DynamicTest> run(int feature, String binding, String cut, String whole) throws IOException {
        return start(feature, binding, Depth.current() == Depth.MATRIX ? "(" + whole + ")"
                : "(" + cut + ") & !matrix & !campaign", binding + " on " + feature, "-XX:TieredStopAtLevel=1",
                "-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote");
    }

    /** As {@link #run}, of the tests that need C2. */
    static Stream<DynamicTest> runOptimized(int feature, String binding) throws IOException {
        return start(feature, binding, Depth.OPTIMIZED, binding + " on " + feature + " optimized",
                "-XX:+TieredCompilation");
    }

    /** {@return how deep the tests are} The ordinary build runs each on one value, as they take longer on Wine. */
    private static Depth depth() {
        return Depth.current() == Depth.VERIFY ? Depth.QUICK : Depth.current();
    }

    private static Stream<DynamicTest> start(int feature, String binding, String tags, String name,
            String... startOptions) throws IOException {
        WindowsJvm jvm = WindowsJvm.ofVersion(feature);
        Path directory = jvm.newDirectory();
        List<String> options = new ArrayList<>(List.of("-ea", "-Xmx512m", "-XX:+UseSerialGC",
                // Threads that come and go would disturb the proof that nothing leaks.
                "-XX:-UseDynamicNumberOfCompilerThreads", "-Dsluice.native=" + binding,
                "-Dsluice.tests.depth=" + depth().name().toLowerCase(Locale.ROOT),
                "-Dsluice.tests.deadline=" + DEADLINE.toSeconds(), "-Dsluice.tests.run=sluice-windows " + name));
        options.addAll(List.of(startOptions));
        if (jvm.feature() >= 22) {
            options.add("--enable-native-access=ALL-UNNAMED");
        }
        String ledger = System.getProperty("sluice.tests.ledger", "");
        if (!ledger.isEmpty()) {
            options.add("-Dsluice.tests.ledger=" + jvm.windowsPath(Path.of(ledger)));
        }
        ProcessBuilder builder = jvm.command(directory, options, WindowsJvm.classPathOfTests(),
                SuiteRun.class.getName(), tags + LEFT_OUT);
        return new SuiteProcess(builder, directory, Path.of("target", "windows-" + name.replace(' ', '-') + ".log"))
                .tests();
    }

    /**
     * Starts the process.
     *
     * @param builder   of the process
     * @param directory in which it works, which is deleted at the end
     * @param log       for its standard error
     */
    private SuiteProcess(ProcessBuilder builder, Path directory, Path log) throws IOException {
        this.directory = directory;
        process = builder.start();
        CompletableFuture.runAsync(() -> keepErrors(log), task -> new Thread(task, "log of " + log).start());
        // A build that is broken off in the middle leaves no process behind.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        CompletableFuture.delayedExecutor(LIMIT.toSeconds(), TimeUnit.SECONDS).execute(process::destroyForcibly);
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    private void keepErrors(Path log) {
        try (BufferedReader errors = process.errorReader(StandardCharsets.UTF_8);
                BufferedWriter copy = Files.newBufferedWriter(log)) {
            for (String line = errors.readLine(); line != null; line = errors.readLine()) {
                copy.write(line);
                copy.newLine();
                copy.flush();
                if (line.startsWith(HangListener.PREFIX)) {
                    cause = line + "; ";
                } else if (line.contains(WINE_CRASHED)) {
                    cause = "Wine has failed, and no test: " + line + "; ";
                    process.destroyForcibly();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the tests, which wait for the process; it ends with the stream} */
    private Stream<DynamicTest> tests() {
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
                String name = "%s: %s passed, %s skipped".formatted(fields[1], fields[2], fields[3]);
                return dynamicTest(name, () -> assertEquals("", failures.toString()));
            }
            if (fields[0].equals(SuiteRun.END)) {
                isComplete = true;
            } else {
                failures.append(String.join("\t", fields)).append('\n');
            }
        }
        hasEnded = true;
        return dynamicTest("the process ends", () -> {
            assertEquals(0, process.waitFor(), () -> cause + "exit code, within " + LIMIT + ", after " + failures);
            assertEquals("", failures.toString());
            assertTrue(isComplete, () -> "ended before all tests had run, or none was found, after " + failures);
        });
    }

    private void end() {
        process.destroyForcibly();
        try {
            process.waitFor();
            WindowsJvm.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
