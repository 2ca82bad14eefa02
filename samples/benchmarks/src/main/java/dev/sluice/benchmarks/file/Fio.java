package dev.sluice.benchmarks.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.workload.ProcessorTime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program fio, with its engine for io_uring and one job, and its output. */
final class Fio {

    /** So often is it started to find out what a start takes. */
    private static final int STARTS = 3;
    private static final double PERCENT = 100;
    private static final double NANOS_PER_MICROSECOND = TimeUnit.MICROSECONDS.toNanos(1);

    private final Host host;
    private final Path program;
    private final boolean registered;
    /** The CPU time of a run that performs one operation: the least of some. */
    private final long startNanos;
    private final String version;

    private Fio(Host host, Path program, boolean registered, long startNanos, String version) {
        this.host = host;
        this.program = program;
        this.registered = registered;
        this.startNanos = startNanos;
        this.version = version;
    }

    /**
     * Tries the program.
     *
     * @param host       where it is
     * @param program    the program
     * @param registered whether it registers its file and its buffers with the kernel
     * @param job        operations that it has to be able to perform
     * @return it, if it can perform one operation
     * @throws IOException if it cannot
     */
    static Fio start(Host host, Path program, boolean registered, Job job) throws IOException {
        long least = Long.MAX_VALUE;
        String version = "";
        for (int i = 0; i < STARTS; i++) {
            long before = ProcessorTime.ofChildren();
            JsonNode report = new Fio(host, program, registered, 0, version).run(job, List.of("--number_ios=1"));
            least = Math.min(least, ProcessorTime.ofChildren() - before);
            version = report.path("fio version").asText();
        }
        return new Fio(host, program, registered, least, version);
    }

    /** {@return the version as it reports itself, such as fio-3.33; empty if it does not} */
    String version() {
        return version;
    }

    /**
     * Performs operations for a time.
     *
     * @param job      what they do
     * @param time     how long
     * @param recorder takes the figures
     * @throws IOException if it fails, or its output is not understood
     */
    void measure(Job job, Duration time, Recorder recorder) throws IOException {
        long before = ProcessorTime.ofChildren();
        JsonNode report = run(job, List.of("--time_based", "--runtime=" + time.toMillis() + "ms"));
        long all = ProcessorTime.ofChildren() - before - startNanos;
        JsonNode only = report.path("jobs").path(0);
        // What it counts itself is the time of its thread, without those that the kernel makes for io_uring.
        double share = (only.path("usr_cpu").asDouble() + only.path("sys_cpu").asDouble()) / PERCENT;
        long own = (long) (share * TimeUnit.MILLISECONDS.toNanos(only.path("job_runtime").asLong()));
        long processorNanos = Math.max(all, own);
        JsonNode result = only.path(job.writes() ? "write" : "read");
        long operations = result.path("total_ios").asLong();
        long millis = result.path("runtime").asLong();
        JsonNode latencies = result.path("lat_ns").path("percentile");
        if (operations <= 0 || millis <= 0 || processorNanos <= 0 || latencies.size() == 0) {
            throw new IOException("unexpected output of fio: " + result);
        }
        Figures.record(operations, TimeUnit.MILLISECONDS.toNanos(millis), processorNanos, job.size(), recorder);
        recorder.record(Figures.MEDIAN, latencies.path("50.000000").asLong() / NANOS_PER_MICROSECOND);
        recorder.record(Figures.HIGH, latencies.path("99.000000").asLong() / NANOS_PER_MICROSECOND);
        recorder.record(Figures.HIGHEST, latencies.path("99.900000").asLong() / NANOS_PER_MICROSECOND);
    }

    private JsonNode run(Job job, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString(), "--name=sluice", "--output-format=json",
                "--ioengine=io_uring", "--filename=" + job.path(), "--rw=" + direction(job),
                "--bs=" + job.size(), "--iodepth=" + job.depth(), "--direct=" + (job.direct() ? 1 : 0),
                // The file is there, and what is cached of it is to stay so.
                "--allow_file_create=0", "--overwrite=1", "--invalidate=0", "--norandommap", "--randrepeat=0",
                "--lat_percentiles=1", "--clat_percentiles=0"));
        if (registered) {
            command.addAll(List.of("--registerfiles", "--fixedbufs"));
        }
        command.addAll(options);
        Process process = host.start(new ProcessBuilder(command).directory(host.directory().toFile())
                .redirectErrorStream(true));
        String text;
        int code;
        try (InputStream output = process.getInputStream()) {
            process.getOutputStream().close();
            text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            code = process.onExit().join().exitValue();
        } finally {
            process.destroyForcibly().onExit().join();
        }
        int begin = text.indexOf('{');
        if (code != 0 || begin < 0) {
            throw new IOException("fio failed: " + text.lines().findFirst().orElse("exit code " + code));
        }
        return new ObjectMapper().readTree(text.substring(begin));
    }

    private static String direction(Job job) {
        String direction = job.writes() ? "write" : "read";
        return job.sequential() ? direction : "rand" + direction;
    }
}
