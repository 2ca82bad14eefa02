package dev.sluice.benchmarks.file;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;

/** A file that is mapped into memory: an operation copies bytes from there, or to there. */
public final class MappedBytes extends ThreadedWorkload {

    private final MappedByteBuffer file;

    /**
     * Maps the file.
     *
     * @param arguments as for {@link ThreadedWorkload}
     * @throws IOException if it cannot be mapped
     */
    public MappedBytes(List<String> arguments) throws IOException {
        super(arguments);
        try (FileChannel channel = FileChannel.open(job().path(), job().ofChannel())) {
            file = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
        }
    }

    @Override
    long transfer(Slot slot) {
        int place = (int) slot.place();
        int size = slot.block().capacity();
        if (job().writes()) {
            file.put(place, slot.block(), 0, size);
        } else {
            slot.block().put(0, file, place, size);
        }
        slot.block().position(size);
        return size;
    }

    /** The garbage collector unmaps it. */
    @Override
    public void close() {
    }
}
