package dev.sluice.benchmarks.lucene;

import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Section.Question;
import dev.sluice.benchmarks.run.Target;
import dev.sluice.benchmarks.workload.Meter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.IntCountsHistogram;

/**
 * The figures of one question.
 *
 * @param prefix of their names; empty for the question of the suite
 */
record SearchFigures(String prefix) {

    private static final String PER_SECOND = "queries per second";
    private static final String PROCESSOR = "CPU time per query";
    private static final String MEDIAN = "median time of a query";
    private static final String HIGH = "99th percentile of the time of a query";
    private static final String BYTES = "read from the disk per query";
    private static final String REQUESTS = "reads of the disk per query";

    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double MICROSECOND = TimeUnit.MICROSECONDS.toNanos(1);
    private static final double KIBIBYTE = 1024;
    private static final double ENOUGH = 1.5;

    /**
     * Records what a process has done and used.
     *
     * @param meter    of the process, since the first query
     * @param disk     what was read since then; null if that is not counted
     * @param nanos    the time of each query
     * @param recorder takes the figures
     * @throws IOException if the system does not say what was read
     */
    void record(Meter meter, DiskReads disk, IntCountsHistogram nanos, Recorder recorder) throws IOException {
        long queries = nanos.getTotalCount();
        recorder.record(prefix + PER_SECOND, queries * SECOND / meter.nanos());
        recorder.record(prefix + PROCESSOR, meter.processorNanos() / MICROSECOND / queries);
        recorder.record(prefix + MEDIAN, nanos.getValueAtPercentile(50) / MICROSECOND);
        recorder.record(prefix + HIGH, nanos.getValueAtPercentile(99) / MICROSECOND);
        if (disk != null) {
            recorder.record(prefix + BYTES, disk.bytes() / KIBIBYTE / queries);
            recorder.record(prefix + REQUESTS, (double) disk.requests() / queries);
        }
    }

    /** {@return the tables of the question, the first with a chart} */
    List<Section> sections(Question question) {
        String baseline = Directories.MAPPED.label();
        String own = Directories.SLUICE_DIRECT.label();
        Section rate = new Section(prefix + PER_SECOND, "1/s", Better.HIGHER, baseline, Chart.BARS)
                .with(Target.times(own, ENOUGH, baseline), Target.times(own, ENOUGH, Directories.CHANNELS.label()),
                        Target.times(own, ENOUGH, Directories.DIRECT.label()));
        List<Section> sections = new ArrayList<>(List.of(question == null ? rate : rate.answering(question),
                new Section(prefix + PROCESSOR, "µs", Better.LOWER, baseline, Chart.NONE),
                new Section(prefix + MEDIAN, "µs", Better.LOWER, baseline, Chart.NONE),
                new Section(prefix + HIGH, "µs", Better.LOWER, baseline, Chart.NONE)));
        if (DiskReads.areCounted()) {
            sections.add(new Section(prefix + BYTES, "KiB", Better.LOWER, baseline, Chart.NONE));
            sections.add(new Section(prefix + REQUESTS, "reads", Better.LOWER, baseline, Chart.NONE));
        }
        return sections;
    }
}
