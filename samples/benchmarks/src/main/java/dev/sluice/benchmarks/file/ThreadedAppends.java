package dev.sluice.benchmarks.file;

import dev.sluice.benchmarks.workload.WorkingThreads;
import dev.sluice.benchmarks.workload.WorkingThreads.Kind;
import dev.sluice.files.FileBatch;
import dev.sluice.files.FileLoop;
import dev.sluice.files.LoopFile;
import dev.sluice.handle.FileHandle;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A thread for each appender, which waits until its record is written and on the disk. */
public final class ThreadedAppends extends FileAppends {

    /** What writes. */
    enum Api {
        /** {@link FileChannel}. */
        CHANNEL,
        /** {@link FileHandle}. */
        HANDLE,
        /** {@link FileBatch}. */
        BATCH
    }

    /** Appends a record and waits until it is durable. */
    @FunctionalInterface
    private interface Way {
        void append(ByteBuffer record) throws IOException;
    }

    private final WorkingThreads threads;
    private final Closeable file;
    private final List<Way> ways = new ArrayList<>();
    /** The position of the next record of a batch. */
    private final AtomicLong end = new AtomicLong();

    /**
     * Opens the file.
     *
     * @param arguments as from {@link AppendWorkload#arguments}; the last one is from {@link #own(Api, Kind)}
     * @throws IOException if it cannot be opened
     */
    public ThreadedAppends(List<String> arguments) throws IOException {
        super(arguments);
        String[] own = own(arguments).split(",");
        threads = new WorkingThreads(Kind.valueOf(own[1]), deadline());
        file = switch (Api.valueOf(own[0])) {
            case CHANNEL -> channel();
            case HANDLE -> handle();
            case BATCH -> batches();
        };
    }

    static String own(Api api, Kind threads) {
        return api + "," + threads;
    }

    private Closeable channel() throws IOException {
        FileChannel channel = FileChannel.open(path(), StandardOpenOption.APPEND);
        appenders().forEach(appender -> ways.add(record -> {
            channel.write(record);
            channel.force(false);
        }));
        return channel;
    }

    private Closeable handle() throws IOException {
        FileHandle handle = FileHandle.open(path(), StandardOpenOption.APPEND);
        appenders().forEach(appender -> ways.add(record -> {
            if (handle.write(record, 0) == Appender.RECORD) {
                handle.forceData();
            }
        }));
        return handle;
    }

    private Closeable batches() throws IOException {
        FileLoop loop = FileLoop.open();
        try {
            // If it were opened for appending, one operation at a time would be executed, its force included.
            LoopFile opened = loop.openFile(path(), StandardOpenOption.WRITE);
            appenders().forEach(appender -> {
                FileBatch batch = new FileBatch(loop, 1);
                ways.add(record -> {
                    batch.writeAndForceData(opened, record, end.getAndAdd(Appender.RECORD));
                    batch.await();
                });
            });
            return () -> {
                loop.close();
                opened.close();
            };
        } catch (Throwable e) {
            loop.close();
            throw e;
        }
    }

    @Override
    void prepare() {
        end.set(0);
        for (Appender appender : appenders()) {
            Way way = ways.get(appender.author());
            threads.start(() -> {
                appender.begin();
                way.append(appender.record());
                appender.end();
            });
        }
    }

    @Override
    void run() throws IOException, InterruptedException {
        threads.run();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
