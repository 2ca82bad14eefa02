package dev.sluice.benchmarks.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** One thread and {@link FileChannel}: an operation is over when its method returns. */
public final class SynchronousChannel extends FileWorkload {

    private final FileChannel file;

    /**
     * Opens the file.
     *
     * @param arguments as from {@link FileWorkload#arguments}
     * @throws IOException if it cannot be opened
     */
    public SynchronousChannel(List<String> arguments) throws IOException {
        super(arguments);
        file = FileChannel.open(path(), StandardOpenOption.READ, StandardOpenOption.WRITE);
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
    public void close() throws IOException {
        file.close();
    }
}
