package dev.sluice.samples.wal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Checks that the log has each record of a thread once and in order. */
final class LoadCheck implements RecordVisitor {

    private record Writer(long run, int thread) {
    }

    private final Map<Writer, Long> counts = new HashMap<>();
    private final Set<Long> runs = new HashSet<>();
    private long bytes;

    @Override
    public void record(long number, ByteBuffer record) throws IOException {
        if (record.remaining() < LoadRecord.MIN_LENGTH) {
            throw new IOException("record " + number + " is not one of sluice wal: it has " + record.remaining()
                    + " bytes");
        }
        LoadRecord found = LoadRecord.read(record);
        long before = counts.getOrDefault(new Writer(found.run(), found.thread()), 0L);
        if (found.count() != before + 1) {
            throw new IOException("record " + number + " is number " + found.count() + " of its thread, after "
                    + before);
        }
        counts.put(new Writer(found.run(), found.thread()), found.count());
        runs.add(found.run());
        bytes += record.remaining();
    }

    /** {@return what has been found} */
    String summary() {
        return bytes + " bytes, of " + counts.size() + " threads in " + runs.size()
                + " runs: each record is there once, in order";
    }
}
