package dev.sluice.stages;

import java.io.IOException;
import java.util.List;

/** Writes a row of comma-separated values for each moment: the paper's visualizations of queue lengths and memory. */
final class GraphRecording {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Appendable out;
    private final List<Stage<?>> stages;
    private final long begin;
    private final StringBuilder row = new StringBuilder();

    /**
     * Begins with the names of the columns.
     *
     * @param out    what to write to
     * @param stages those to be recorded
     * @param begin  by {@link System#nanoTime()}
     */
    GraphRecording(Appendable out, List<Stage<?>> stages, long begin) throws IOException {
        this.out = out;
        this.stages = List.copyOf(stages);
        this.begin = begin;
        row.append("ms");
        for (Stage<?> stage : this.stages) {
            column(stage.name() + " queue");
            column(stage.name() + " threads");
        }
        column("memory bytes");
        end();
    }

    /** Writes how it is now. */
    void write(long now) throws IOException {
        row.append((now - begin) / NANOS_PER_MILLI);
        for (Stage<?> stage : stages) {
            row.append(',').append(stage.length()).append(',').append(stage.threads());
        }
        Runtime runtime = Runtime.getRuntime();
        row.append(',').append(runtime.totalMemory() - runtime.freeMemory());
        end();
    }

    private void column(String name) {
        row.append(',');
        if (name.indexOf(',') < 0 && name.indexOf('"') < 0 && name.indexOf('\n') < 0) {
            row.append(name);
        } else {
            row.append('"').append(name.replace("\"", "\"\"")).append('"');
        }
    }

    private void end() throws IOException {
        row.append('\n');
        out.append(row);
        row.setLength(0);
    }
}
