package dev.sluice.benchmarks.file;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.FileHandle;
import dev.sluice.proactor.AsyncFile;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** One thread and a {@link Proactor}, whose completion handler begins the next operation. */
public final class ProactiveFile extends FileWorkload {

    private final Proactor proactor;
    private final FileHandle file;
    private final AsyncFile operations;
    private int left;
    private int running;
    private IOException failure;

    /**
     * Opens the file and the proactor.
     *
     * @param arguments as from {@link FileWorkload#arguments}
     * @throws IOException if one cannot be opened
     */
    public ProactiveFile(List<String> arguments) throws IOException {
        super(arguments);
        proactor = Proactor.open(arguments.get(3));
        file = FileHandle.open(path(), StandardOpenOption.READ, StandardOpenOption.WRITE);
        operations = new AsyncFile(proactor, file, this::end);
    }

    @Override
    void workBatch(int each) throws IOException {
        left = each * slots().size();
        for (Slot slot : slots()) {
            begin(slot);
        }
        while (running > 0) {
            proactor.runOnce();
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void begin(Slot slot) {
        left--;
        running++;
        slot.begin();
        if (writes()) {
            operations.write(slot.block(), slot.place(), slot);
        } else {
            operations.read(slot.block(), slot.place(), slot);
        }
    }

    private void end(Completion completion) {
        running--;
        Slot slot = (Slot) completion.token();
        try {
            if (!completion.isSuccess()) {
                throw completion.error();
            }
            slot.end(completion.bytesTransferred());
        } catch (IOException e) {
            failure = e;
            left = 0;
        }
        if (left > 0) {
            begin(slot);
        }
    }

    @Override
    public void close() {
        proactor.close();
        file.close();
    }
}
