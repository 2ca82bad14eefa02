package dev.sluice.benchmarks.file;

import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.util.List;

/** {@link FileHandle}: an operation is over when its method returns. */
public final class SynchronousHandle extends ThreadedWorkload {

    private final FileHandle file;

    /**
     * Opens the file.
     *
     * @param arguments as for {@link ThreadedWorkload}
     * @throws IOException if it cannot be opened
     */
    public SynchronousHandle(List<String> arguments) throws IOException {
        super(arguments);
        file = FileHandle.open(job().path(), job().ofHandle());
    }

    @Override
    long transfer(Slot slot) throws IOException {
        return job().writes() ? file.write(slot.block(), slot.place()) : file.read(slot.block(), slot.place());
    }

    @Override
    public void close() {
        file.close();
    }
}
