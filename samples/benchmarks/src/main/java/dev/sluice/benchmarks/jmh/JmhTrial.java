package dev.sluice.benchmarks.jmh;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Trial;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.results.BenchmarkResult;
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
 * @param scale      the scale of the measurement
 * @param host       the host to run on
 * @param counter    the field of an {@link org.openjdk.jmh.annotations.AuxCounters} of operations that both figures are
 *                   per, in a benchmark that is annotated to measure the average time; null if they are per call of the
 *                   method
 * @param threads    the number of threads that call the method
 * @param preparing  how long the benchmark's set-up and end take
 * @param warmUp     the length of the warm-up
 */
public record JmhTrial(String scenario, String contestant, Class<?> benchmark, String method,
        Map<String, String> parameters, String figure, String allocated, Scale scale, Host host, String counter,
        int threads, Duration preparing, Duration warmUp) implements Trial {

    // Far more than any takes; JMH interrupts an iteration that hangs.
    private static final TimeValue LONGEST_ITERATION = TimeValue.minutes(1);
    // Time for the start of a JVM, and for JMH between its iterations.
    private static final Duration OVERHEAD = Duration.ofMillis(700);
    private static final String IGNORE_LOCK = "jmh.ignoreLock";
    private static final List<String> HEAP = List.of("-Xms512m", "-Xmx512m");
    /** The first one measures the allocation: JMH counts the allocations of the tear-down in the last one. */
    private static final int ITERATIONS = 2;

    /**
     * One that is measured per call of the method, by one thread, and takes no time to set up.
     *
     * @param scenario   as above
     * @param contestant as above
     * @param benchmark  as above
     * @param method     as above
     * @param parameters as above
     * @param figure     as above
     * @param allocated  as above
     * @param scale      as above
     * @param host       as above
     */
    public JmhTrial(String scenario, String contestant, Class<?> benchmark, String method,
            Map<String, String> parameters, String figure, String allocated, Scale scale, Host host) {
        this(scenario, contestant, benchmark, method, parameters, figure, allocated, scale, host, null, 1,
                Duration.ZERO, scale.warmUp());
    }

    /**
     * {@return the same, measured per event that the benchmark counts}
     *
     * @param field of the benchmark's counters
     */
    public JmhTrial per(String field) {
        return new JmhTrial(scenario, contestant, benchmark, method, parameters, figure, allocated, scale, host, field,
                threads, preparing, warmUp);
    }

    /**
     * {@return the same, called by more threads}
     *
     * @param number of threads
     */
    public JmhTrial by(int number) {
        return new JmhTrial(scenario, contestant, benchmark, method, parameters, figure, allocated, scale, host,
                counter, number, preparing, warmUp);
    }

    /**
     * {@return the same, planned with the time that its set-up takes}
     *
     * @param time of the set-up and the end
     */
    public JmhTrial preparing(Duration time) {
        return new JmhTrial(scenario, contestant, benchmark, method, parameters, figure, allocated, scale, host,
                counter, threads, time, warmUp);
    }

    /**
     * {@return the same, with another time for the warm-up, which one that is slow or large needs more of}
     *
     * @param time before it is measured
     */
    public JmhTrial warmingUp(Duration time) {
        return new JmhTrial(scenario, contestant, benchmark, method, parameters, figure, allocated, scale, host,
                counter, threads, preparing, time);
    }

    @Override
    public Duration planned() {
        Duration measuring = scale == Scale.SMALLEST ? Duration.ofMillis(100)
                : OVERHEAD.plus(warmUp).plus(scale.measured());
        return measuring.plus(preparing);
    }

    @Override
    public void measure(Recorder recorder) throws IOException {
        if (scale == Scale.SMALLEST) {
            // Whether another JMH runs on this machine matters to nothing that this shows.
            System.setProperty(IGNORE_LOCK, "true");
        }
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
                .warmupTime(time(warmUp))
                .measurementIterations(ITERATIONS)
                .measurementTime(time(scale.measured().dividedBy(ITERATIONS)))
                .timeout(LONGEST_ITERATION)
                .threads(threads)
                .shouldFailOnError(true)
                .addProfiler(AllocationProfiler.class)
                .verbosity(VerboseMode.NORMAL)
                .output(host.directory().resolve(log()).toString());
        parameters.forEach(options::param);
        List<String> javaOptions = new ArrayList<>(Host.javaOptions());
        javaOptions.addAll(HEAP);
        return smallest ? options : options.jvmArgs(javaOptions.toArray(String[]::new));
    }

    private static TimeValue time(Duration time) {
        return new TimeValue(Math.max(time.toMillis(), 1), TimeUnit.MILLISECONDS);
    }

    private void record(RunResult result, Recorder recorder) {
        for (BenchmarkResult fork : result.getBenchmarkResults()) {
            Collection<IterationResult> iterations = fork.getIterationResults();
            recorder.record(figure, iterations.stream().mapToDouble(this::score).average().orElseThrow());
            IterationResult first = iterations.iterator().next();
            Result<?> bytes = first.getSecondaryResults().get(AllocationProfiler.BYTES);
            recorder.record(allocated, bytes.getScore() * (score(first) / first.getPrimaryResult().getScore()));
        }
    }

    private double score(IterationResult iteration) {
        Result<?> result = counter == null ? iteration.getPrimaryResult()
                : iteration.getSecondaryResults().get(counter);
        return result.getScore();
    }
}
