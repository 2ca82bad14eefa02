package dev.sluice.benchmarks.jmh;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * A benchmark method in a Java of its own, or in this one at the smallest scale. What it allocates is measured with it.
 *
 * @param scenario   see {@link Trial#scenario}
 * @param contestant see {@link Trial#contestant}
 * @param benchmark  the class of the method, annotated for JMH
 * @param method     its name
 * @param parameters of the benchmark, by their fields
 * @param figure     what JMH's score is called in the report, in the unit that the benchmark is annotated with
 * @param allocated  what the bytes allocated per operation are called in the report
 * @param scale      how much is measured
 * @param host       where
 */
public record JmhTrial(String scenario, String contestant, Class<?> benchmark, String method,
        Map<String, String> parameters, String figure, String allocated, Scale scale, Host host) implements Trial {

    // What a Java needs until it begins, and JMH between its iterations.
    private static final Duration OVERHEAD = Duration.ofMillis(700);
    private static final String ALLOCATION = "gc.alloc.rate.norm";

    @Override
    public Duration planned() {
        return scale == Scale.SMALLEST ? Duration.ofMillis(100) : OVERHEAD.plus(scale.warmUp()).plus(scale.measured());
    }

    @Override
    public void measure(Recorder recorder) throws IOException {
        RunResult result;
        try {
            result = new Runner(options().build()).runSingle();
        } catch (RunnerException e) {
            throw new IOException(benchmark.getSimpleName() + "." + method + " failed; see "
                    + host.directory().resolve(log()) + ": " + e.getMessage(), e);
        }
        record(result, recorder);
    }

    private String log() {
        return "jmh-" + benchmark.getSimpleName() + ".log";
    }

    private ChainedOptionsBuilder options() {
        boolean smallest = scale == Scale.SMALLEST;
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(benchmark.getName() + "." + method) + "$")
                .forks(smallest ? 0 : 1)
                .warmupIterations(smallest ? 0 : 1)
                .warmupTime(time(scale.warmUp()))
                .measurementIterations(1)
                .measurementTime(time(scale.measured()))
                .shouldFailOnError(true)
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.NORMAL)
                .output(host.directory().resolve(log()).toString());
        parameters.forEach(options::param);
        return smallest ? options : options.jvmArgs("--enable-native-access=ALL-UNNAMED", "-Xms512m", "-Xmx512m");
    }

    private static TimeValue time(Duration time) {
        return new TimeValue(Math.max(time.toMillis(), 1), TimeUnit.MILLISECONDS);
    }

    private void record(RunResult result, Recorder recorder) {
        for (var each : result.getBenchmarkResults()) {
            for (IterationResult iteration : each.getIterationResults()) {
                recorder.record(figure, iteration.getPrimaryResult().getScore());
                Result<?> bytes = iteration.getSecondaryResults().get(ALLOCATION);
                if (bytes != null) {
                    recorder.record(allocated, bytes.getScore());
                }
            }
        }
    }
}
