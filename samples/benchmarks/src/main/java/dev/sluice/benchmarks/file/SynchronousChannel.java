package dev.sluice.benchmarks.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.List;

/** {@link FileChannel}: an operation is over when its method returns. */
public final class SynchronousChannel extends ThreadedWorkload {

    private final FileChannel file;

    /**
     * Opens the file.
     *
     * @param arguments as for {@link ThreadedWorkload}
     * @throws IOException if it cannot be opened
     */
    public SynchronousChannel(List<String> arguments) throws IOException {
        super(arguments);
        file = FileChannel.open(job().path(), job().ofChannel());
    }

    @Override
    long transfer(Slot slot) throws IOException {
        return job().writes() ? file.write(slot.block(), slot.place()) : file.read(slot.block(), slot.place());
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
