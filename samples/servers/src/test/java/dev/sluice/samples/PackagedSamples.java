package dev.sluice.samples;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The samples as users start them, as modules: what the phase {@code package} leaves behind. */
public final class PackagedSamples {

    /** The JUnit tag of the tests that need them. The build runs these after it has packaged everything. */
    public static final String TAG = "packaged";

    private static boolean launched;

    private PackagedSamples() {
    }

    static Path modules() {
        return Repository.root().resolve("samples/servers/target/modules");
    }

    /**
     * Makes sure that they are there and that the launcher would not build them again: a test must not start a build.
     * Outside of Maven, where nothing has to have been packaged, the test is skipped.
     */
    public static void check() throws IOException {
        check("samples/servers/target/modules/.built", ModuleList.SAMPLES);
    }

    /** As {@link #check}, for the benchmarks. */
    public static void checkBenchmarks() throws IOException {
        check("samples/benchmarks/target/class-path/.built", ModuleList.BENCHMARKS);
    }

    private static void check(String name, String module) throws IOException {
        Path stamp = Repository.root().resolve(name);
        if (!Files.exists(stamp)) {
            refuse("there is no " + name + ": mvn package -DskipTests packages everything");
        }
        Optional<Path> newer = Freshness.newer(Repository.root(), stamp, module);
        if (newer.isPresent()) {
            refuse(newer.get() + " is newer than what is packaged: run mvn package -DskipTests");
        }
        launchOnce();
    }

    /** The first launch after a build says on standard error that it makes the next ones faster. */
    private static synchronized void launchOnce() throws IOException {
        if (launched) {
            return;
        }
        for (JavaHome java : JavaHome.all()) {
            ProcessBuilder launch = new ProcessBuilder(Repository.root().resolve("sluice").toString(), "--version");
            launch.environment().put("SLUICE_JAVA_HOME", java.path().toString());
            try (SampleProcess process = SampleProcess.start(launch)) {
                process.awaitExit();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("while " + java + " starts");
            }
        }
        launched = true;
    }

    private static void refuse(String reason) {
        if (Boolean.getBoolean("sluice.packaged")) {
            fail(reason);
        }
        abort(reason);
    }
}
