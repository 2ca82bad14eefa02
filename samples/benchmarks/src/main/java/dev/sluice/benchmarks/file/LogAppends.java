package dev.sluice.benchmarks.file;

import dev.sluice.benchmarks.workload.WorkingThreads;
import dev.sluice.benchmarks.workload.WorkingThreads.Kind;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.samples.wal.LogSettings;
import dev.sluice.samples.wal.WriteAheadLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Appends to a write-ahead log by a thread for each appender. What the threads append while one group of records is
 * written and forced is the next group. Both logs have the same format, and what they contain is read by the same code.
 */
public final class LogAppends extends AppendWorkload {

    /** What writes and forces a group. */
    enum Api {
        /** {@link WriteAheadLog}: one of the threads that append, by two calls. */
        HANDLE,
        /** {@link ChannelLog}: a thread, by two calls. */
        CHANNEL
    }

    /** Appends a record and waits until it is durable. */
    @FunctionalInterface
    private interface Way {
        void append(ByteBuffer record) throws IOException;
    }

    /** The settings of {@code sluice wal}. */
    private static final LogSettings SETTINGS = new LogSettings(LogSettings.DEFAULT_SEGMENT, LogSettings.DEFAULT_GROUP,
            Mechanism.AUTO);

    private final Api api;
    private final WorkingThreads threads;
    /** The log that has been opened; null if there is none. */
    private Closeable log;
    private Way way;

    /**
     * Creates a workload without a log.
     *
     * @param arguments as from {@link AppendWorkload#arguments}; the path is that of the log's directory, and the last
     *                  one is the name of an {@link Api}
     */
    public LogAppends(List<String> arguments) {
        super(arguments);
        api = Api.valueOf(own(arguments));
        threads = new WorkingThreads(Kind.PLATFORM, deadline());
    }

    /** Opens a new log, whose first segment is there then. */
    @Override
    void empty() throws IOException {
        close();
        Files.createDirectories(path());
        switch (api) {
            case HANDLE -> {
                WriteAheadLog opened = WriteAheadLog.open(path(), SETTINGS, (number, record) -> {
                    throw new IOException("record " + number + " is in a log that has just been created");
                });
                log = opened;
                way = opened::append;
            }
            case CHANNEL -> {
                ChannelLog opened = new ChannelLog(path(), SETTINGS);
                log = opened;
                way = opened::append;
            }
        }
    }

    @Override
    void prepare() {
        for (Appender appender : appenders()) {
            threads.start(() -> {
                appender.begin();
                way.append(appender.record());
                // The log has copied the record, and leaves the position.
                appender.record().position(Appender.RECORD);
                appender.end();
            });
        }
    }

    @Override
    void run() throws IOException, InterruptedException {
        threads.run();
    }

    @Override
    void read(Records records) throws IOException {
        closeLog();
        WriteAheadLog.read(path(), (number, record) -> records.take(record.order(ByteOrder.nativeOrder())));
    }

    private void closeLog() throws IOException {
        Closeable opened = log;
        log = null;
        if (opened != null) {
            opened.close();
        }
    }

    @Override
    public void close() throws IOException {
        closeLog();
        remove(path());
    }

    /** Removes the directory of a log, if there is one. */
    static void remove(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
        Files.deleteIfExists(directory);
    }
}
