package dev.sluice.benchmarks.file;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.FileHandle;
import dev.sluice.proactor.AsyncFile;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * One thread and a {@link Proactor}: an operation writes a record and forces it, and its completion begins the next
 * append of that appender. The thread counts the positions itself: on a file that is opened for appending, one write
 * is executed at a time, and one force.
 */
public final class ProactiveAppends extends FileAppends {

    private final Proactor proactor;
    private final FileHandle file;
    private final AsyncFile appends;
    /** The position of the next record. */
    private long end;
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
            file = FileHandle.open(path(), StandardOpenOption.WRITE);
            appends = new AsyncFile(proactor, file, this::durable);
        } catch (Throwable e) {
            proactor.close();
            throw e;
        }
    }

    @Override
    void run() throws IOException {
        end = 0;
        running = appenders().size();
        for (Appender appender : appenders()) {
            begin(appender);
        }
        proactor.run();
        if (failure != null) {
            throw failure;
        }
    }

    private void begin(Appender appender) {
        appender.begin();
        appends.writeAndForceData(appender.record(), end, appender);
        end += Appender.RECORD;
    }

    private void durable(Completion completion) {
        Appender appender = (Appender) completion.token();
        try {
            if (!completion.isSuccess()) {
                throw completion.error();
            }
            appender.end();
        } catch (IOException e) {
            failure = e;
            deadline().fail();
        }
        if (!deadline().isOver()) {
            begin(appender);
        } else if (--running == 0) {
            proactor.leave();
        }
    }

    @Override
    public void close() {
        proactor.close();
        file.close();
    }
}
