package dev.sluice.benchmarks.workload;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Trial;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A workload in a Java of its own, or in this one at the smallest scale.
 *
 * @param scenario   see {@link Trial#scenario}
 * @param contestant see {@link Trial#contestant}
 * @param workload   its class
 * @param arguments  of its constructor
 * @param warmUp     how long it works before it is measured
 * @param measured   the length of the measurement
 * @param scale      the scale of the measurement
 * @param host       the host to run on
 * @param heap       how much of it the process may use, as Java's options say it
 * @param options    further options of the virtual machine; not at the smallest scale
 */
public record WorkloadTrial(String scenario, String contestant, Class<? extends Workload> workload,
        List<String> arguments, Duration warmUp, Duration measured, Scale scale, Host host, String heap,
        List<String> options) implements Trial {

    /** As much heap as most need. */
    public static final String HEAP = "256m";

    // What a Java needs until it begins, and until it has ended.
    private static final Duration OVERHEAD = Duration.ofMillis(600);
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /**
     * One with {@link #HEAP}.
     *
     * @param scenario   as above
     * @param contestant as above
     * @param workload   as above
     * @param arguments  as above
     * @param warmUp     as above
     * @param measured   as above
     * @param scale      as above
     * @param host       as above
     */
    public WorkloadTrial(String scenario, String contestant, Class<? extends Workload> workload,
            List<String> arguments, Duration warmUp, Duration measured, Scale scale, Host host) {
        this(scenario, contestant, workload, arguments, warmUp, measured, scale, host, HEAP);
    }

    /**
     * One without further options.
     *
     * @param scenario   as above
     * @param contestant as above
     * @param workload   as above
     * @param arguments  as above
     * @param warmUp     as above
     * @param measured   as above
     * @param scale      as above
     * @param host       as above
     * @param heap       as above
     */
    public WorkloadTrial(String scenario, String contestant, Class<? extends Workload> workload,
            List<String> arguments, Duration warmUp, Duration measured, Scale scale, Host host, String heap) {
        this(scenario, contestant, workload, arguments, warmUp, measured, scale, host, heap, List.of());
    }

    /**
     * {@return the same with further options}
     *
     * @param further of the virtual machine
     */
    public WorkloadTrial with(List<String> further) {
        return new WorkloadTrial(scenario, contestant, workload, arguments, warmUp, measured, scale, host, heap,
                further);
    }

    @Override
    public Duration planned() {
        return scale == Scale.SMALLEST ? measured : OVERHEAD.plus(warmUp).plus(measured);
    }

    @Override
    public void measure(Recorder recorder) throws IOException, InterruptedException {
        if (scale == Scale.SMALLEST) {
            WorkloadMain.run(workload, arguments, Duration.ZERO, measured, recorder);
        } else {
            measureAlone(recorder);
        }
    }

    private void measureAlone(Recorder recorder) throws IOException, InterruptedException {
        List<String> parameters = new ArrayList<>(List.of(workload.getName(), Long.toString(warmUp.toMillis()),
                Long.toString(measured.toMillis())));
        parameters.addAll(arguments);
        File log = host.directory().resolve("workload-" + workload.getSimpleName() + ".log").toFile();
        File figures = File.createTempFile("figures", ".txt", host.directory().toFile());
        List<String> machine = new ArrayList<>(List.of("-Xms" + heap, "-Xmx" + heap));
        machine.addAll(options);
        Process process = host.start(new ProcessBuilder(host.java(machine, WorkloadMain.class,
                parameters.toArray(String[]::new))).redirectOutput(figures).redirectError(log));
        try {
            boolean ended = process.waitFor(planned().plus(TIMEOUT).toMillis(), TimeUnit.MILLISECONDS);
            if (!ended || process.exitValue() != 0) {
                throw new IOException(workload.getSimpleName() + (ended ? " failed" : " does not end") + "; see "
                        + log);
            }
            record(figures, recorder);
        } finally {
            process.destroyForcibly().waitFor();
            if (!figures.delete()) {
                figures.deleteOnExit();
            }
        }
    }

    private static void record(File figures, Recorder recorder) throws IOException {
        try (BufferedReader reader = new BufferedReader(new FileReader(figures, StandardCharsets.UTF_8))) {
            PrintedFigures.read(reader, recorder);
        }
    }
}
