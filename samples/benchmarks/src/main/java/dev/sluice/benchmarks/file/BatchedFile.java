package dev.sluice.benchmarks.file;

import dev.sluice.files.FileBatch;
import dev.sluice.files.FileLoop;
import dev.sluice.files.LoopFile;
import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.util.List;

/**
 * {@link FileBatch}: one thread that has the operations of all slots executed in a batch, or threads with a batch of
 * one operation each.
 */
public final class BatchedFile extends ThreadedWorkload {

    /** As many as FileChannel has: the JDK starts no more carriers than that for virtual threads that it blocks. */
    private static final int MAX_IN_FLIGHT = 256;

    private final FileLoop loop;
    private final LoopFile file;
    private final FileBatch all;
    private final FileBatch[] each;

    /**
     * Opens the file and the loop.
     *
     * @param arguments as for {@link ThreadedWorkload}
     * @throws IOException if one cannot be opened
     */
    public BatchedFile(List<String> arguments) throws IOException {
        super(arguments);
        loop = FileLoop.open();
        try {
            file = loop.add(FileHandle.open(job().path(), job().ofHandle()), Math.min(job().depth(), MAX_IN_FLIGHT));
        } catch (Throwable e) {
            loop.close();
            throw e;
        }
        all = new FileBatch(loop, job().depth());
        each = new FileBatch[job().depth()];
        for (int i = 0; i < each.length; i++) {
            each[i] = new FileBatch(loop, 1);
        }
    }

    private void add(FileBatch batch, Slot slot) {
        if (job().writes()) {
            batch.write(file, slot.block(), slot.place());
        } else {
            batch.read(file, slot.block(), slot.place());
        }
    }

    @Override
    long transfer(Slot slot) throws IOException {
        FileBatch batch = each[slot.number()];
        add(batch, slot);
        batch.await();
        return batch.bytes(0);
    }

    @Override
    void transferAll() throws IOException {
        for (Slot slot : slots()) {
            slot.begin();
            add(all, slot);
        }
        all.await();
        for (Slot slot : slots()) {
            slot.end(all.bytes(slot.number()));
        }
    }

    @Override
    public void close() {
        loop.close();
        file.close();
    }
}
