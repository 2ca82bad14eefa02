package dev.sluice.benchmarks.file;

import dev.sluice.benchmarks.workload.WorkingThreads.Kind;
import dev.sluice.benchmarks.workload.Workload;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import java.util.LinkedHashMap;
import java.util.Map;

/** The contestants by their names, and what they are made of. */
final class Contestants {

    static final String CHANNEL = "FileChannel";
    static final String CHANNEL_THREADS = "FileChannel, a thread each";
    static final String CHANNEL_VIRTUAL = "FileChannel, a virtual thread each";
    static final String ASYNCHRONOUS = "AsynchronousFileChannel";
    static final String ASYNCHRONOUS_FEW = "AsynchronousFileChannel, %d threads";
    static final String MAPPED = "mapped file";
    static final String HANDLE = "Sluice FileHandle";
    static final String IO_URING = "Sluice Proactor, io_uring";
    static final String EMULATED = "Sluice Proactor, emulated on epoll";
    static final String BATCH = "Sluice FileBatch";
    static final String BATCH_VIRTUAL = "Sluice FileBatch, a virtual thread each";
    static final String LOG = "Sluice log";
    static final String CHANNEL_LOG = "log on a FileChannel";
    static final String FIO = "fio";
    static final String FIO_REGISTERED = "fio, registered";

    /** The demultiplexers of those on a proactor. */
    static final Map<String, String> DEMULTIPLEXERS = demultiplexers();

    private Contestants() {
    }

    /**
     * A contestant that is a workload.
     *
     * @param workload its class
     * @param own      the last argument of its constructor
     */
    record Entry(Class<? extends Workload> workload, String own) {

        Entry(Class<? extends Workload> workload, Kind kind) {
            this(workload, kind.name());
        }
    }

    private static Map<String, String> demultiplexers() {
        Map<String, String> demultiplexers = new LinkedHashMap<>();
        demultiplexers.put(IO_URING, "io_uring");
        demultiplexers.put(EMULATED, "epoll");
        return demultiplexers;
    }

    /** {@return the contestants that read and write at positions} */
    static Map<String, Entry> transferring(int processors) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        entries.put(CHANNEL, new Entry(SynchronousChannel.class, Kind.ONE));
        entries.put(CHANNEL_THREADS, new Entry(SynchronousChannel.class, Kind.PLATFORM));
        entries.put(CHANNEL_VIRTUAL, new Entry(SynchronousChannel.class, Kind.VIRTUAL));
        entries.put(ASYNCHRONOUS, new Entry(AsynchronousChannel.class, "0"));
        entries.put(ASYNCHRONOUS_FEW.formatted(processors),
                new Entry(AsynchronousChannel.class, Integer.toString(processors)));
        entries.put(MAPPED, new Entry(MappedBytes.class, Kind.ONE));
        entries.put(HANDLE, new Entry(SynchronousHandle.class, Kind.ONE));
        DEMULTIPLEXERS.forEach((name, demultiplexer) ->
                entries.put(name, new Entry(ProactiveFile.class, demultiplexer)));
        entries.put(BATCH, new Entry(BatchedFile.class, Kind.ONE));
        entries.put(BATCH_VIRTUAL, new Entry(BatchedFile.class, Kind.VIRTUAL));
        return entries;
    }

    /** {@return the contestants that append} */
    static Map<String, Entry> appending() {
        Map<String, Entry> entries = new LinkedHashMap<>();
        entries.put(CHANNEL, appends(ThreadedAppends.Api.CHANNEL, Kind.PLATFORM));
        entries.put(CHANNEL_VIRTUAL, appends(ThreadedAppends.Api.CHANNEL, Kind.VIRTUAL));
        entries.put(HANDLE, appends(ThreadedAppends.Api.HANDLE, Kind.PLATFORM));
        DEMULTIPLEXERS.forEach((name, demultiplexer) ->
                entries.put(name, new Entry(ProactiveAppends.class, demultiplexer)));
        entries.put(BATCH, appends(ThreadedAppends.Api.BATCH, Kind.PLATFORM));
        entries.put(BATCH_VIRTUAL, appends(ThreadedAppends.Api.BATCH, Kind.VIRTUAL));
        entries.put(LOG, new Entry(LogAppends.class, LogAppends.Api.HANDLE.name()));
        entries.put(CHANNEL_LOG, new Entry(LogAppends.class, LogAppends.Api.CHANNEL.name()));
        return entries;
    }

    private static Entry appends(ThreadedAppends.Api api, Kind kind) {
        return new Entry(ThreadedAppends.class, ThreadedAppends.own(api, kind));
    }

    /** {@return why a demultiplexer cannot be used for a proactor here; null if it can} */
    static String missing(String demultiplexer) {
        for (Mechanism factory : Mechanism.available()) {
            if (factory.mode() == Mode.ASYNCHRONOUS && factory.name().equals(demultiplexer)) {
                return factory.availability().usable() ? null : factory.availability().reason();
            }
        }
        return "this system has no " + demultiplexer;
    }
}
