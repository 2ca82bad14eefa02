package dev.sluice.benchmarks.file;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.FileHandle;
import dev.sluice.proactor.AsyncFile;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.util.List;

/** One thread and a {@link Proactor}, whose completion handler begins the next operation. */
public final class ProactiveFile extends FileWorkload {

    private final Proactor proactor;
    private final FileHandle file;
    private final AsyncFile operations;
    private int running;
    private IOException failure;

    /**
     * Opens the file and the proactor.
     *
     * @param arguments as from {@link Job#arguments}; the last one is the name of the demultiplexer
     * @throws IOException if one cannot be opened
     */
    public ProactiveFile(List<String> arguments) throws IOException {
        super(Job.of(arguments), false);
        proactor = Proactor.open(Job.own(arguments));
        try {
            file = FileHandle.open(job().path(), job().ofHandle());
            operations = new AsyncFile(proactor, file, this::end);
        } catch (Throwable e) {
            proactor.close();
            throw e;
        }
    }

    @Override
    void run() throws IOException {
        for (Slot slot : slots()) {
            begin(slot);
        }
        proactor.run();
        if (failure != null) {
            throw failure;
        }
    }

    private void begin(Slot slot) {
        running++;
        slot.begin();
        if (job().writes()) {
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
            deadline().fail();
        }
        if (!deadline().isOver()) {
            begin(slot);
        }
        if (running == 0) {
            proactor.leave();
        }
    }

    @Override
    public void close() {
        proactor.close();
        file.close();
    }
}
