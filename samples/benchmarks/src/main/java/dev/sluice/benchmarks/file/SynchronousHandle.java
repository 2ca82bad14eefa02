package dev.sluice.benchmarks.file;

import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** One thread and {@link FileHandle}: an operation is over when its method returns. */
public final class SynchronousHandle extends FileWorkload {

    private final FileHandle file;

    /**
     * Opens the file.
     *
     * @param arguments as from {@link FileWorkload#arguments}
     * @throws IOException if it cannot be opened
     */
    public SynchronousHandle(List<String> arguments) throws IOException {
        super(arguments);
        file = FileHandle.open(path(), StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @Override
    void workBatch(int each) throws IOException {
        for (int i = 0; i < each; i++) {
            for (Slot slot : slots()) {
                slot.begin();
                slot.end(writes() ? file.write(slot.block(), slot.place()) : file.read(slot.block(), slot.place()));
            }
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
