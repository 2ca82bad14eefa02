package dev.sluice.benchmarks.file;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.FileHandle;
import dev.sluice.proactor.AsyncFile;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** One thread and a {@link Proactor}: the completion of a write begins the sync, and that of a sync the next write. */
public final class ProactiveAppends extends FileAppends {

    private final Proactor proactor;
    private final FileHandle file;
    private final AsyncFile writes;
    private final AsyncFile syncs;
    private int running;
    private IOException failure;

    /**
     * Opens the file and the proactor.
     *
     * @param arguments as from {@link AppendWorkload#arguments}; the last one is the name of the demultiplexer
     * @throws IOException if one cannot be opened
     */
    public ProactiveAppends(List<String> arguments) throws IOException {
        super(arguments);
        proactor = Proactor.open(own(arguments));
        try {
            file = FileHandle.open(path(), StandardOpenOption.APPEND);
            writes = new AsyncFile(proactor, file, this::written);
            syncs = writes.withHandler(this::durable);
        } catch (Throwable e) {
            proactor.close();
            throw e;
        }
    }

    @Override
    void run() throws IOException {
        running = appenders().size();
        for (Appender appender : appenders()) {
            begin(appender);
        }
        while (running > 0) {
            proactor.runOnce();
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void begin(Appender appender) {
        appender.begin();
        writes.write(appender.record(), 0, appender);
    }

    private void written(Completion completion) {
        if (completion.isSuccess()) {
            syncs.forceData(completion.token());
        } else {
            fail(completion.error());
        }
    }

    private void durable(Completion completion) {
        Appender appender = (Appender) completion.token();
        try {
            if (!completion.isSuccess()) {
                throw completion.error();
            }
            appender.end();
        } catch (IOException e) {
            fail(e);
            return;
        }
        if (deadline().isOver()) {
            running--;
        } else {
            begin(appender);
        }
    }

    private void fail(IOException cause) {
        failure = cause;
        running--;
        deadline().fail();
    }

    @Override
    public void close() {
        proactor.close();
        file.close();
    }
}
