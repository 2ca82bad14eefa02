package dev.sluice.benchmarks.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The machine that the suites run on: installed programs, and processes that end with this one.
 *
 * <p>Safe for use by many threads.
 */
public final class Host {

    /** The first Java version that needs an option before Netty may use its fastest accesses. */
    private static final int ASKS_FOR_UNSAFE = 24;
    private static final String TASKSET = "taskset";

    private final Path directory;
    private final Path serversInC;
    private final Long indexSize;
    private final List<String> ownOptions;
    private final boolean pins;
    private final int processors;
    private final int maxServers;
    private final Map<Class<?>, Closeable> shared;
    private final AtomicBoolean ending;
    /** Whether pinning was requested and is not possible. */
    private final AtomicBoolean unpinned = new AtomicBoolean();

    /**
     * Creates a host.
     *
     * @param directory where processes find and leave files; it exists
     */
    public Host(Path directory) {
        this(directory, null);
    }

    /**
     * Creates a host where there are servers to compare with that are not part of the project.
     *
     * @param directory  where processes find and leave files; it exists
     * @param serversInC where programs or sources called {@code c_epoll} and {@code c_uring} are; null if nowhere
     */
    public Host(Path directory, Path serversInC) {
        this(directory, serversInC, null, List.of(), true, Runtime.getRuntime().availableProcessors(),
                Integer.MAX_VALUE, null, new AtomicBoolean());
    }

    /** Creates a host with the given number of processors. */
    Host(Path directory, int processors) {
        this(directory, null, null, List.of(), true, processors, Integer.MAX_VALUE, null, new AtomicBoolean());
    }

    private Host(Path directory, Path serversInC, Long indexSize, List<String> ownOptions, boolean pins, int processors,
            int maxServers, Map<Class<?>, Closeable> shared, AtomicBoolean ending) {
        this.directory = directory;
        this.serversInC = serversInC;
        this.indexSize = indexSize;
        this.ownOptions = ownOptions;
        this.pins = pins;
        this.processors = processors;
        this.maxServers = maxServers;
        this.shared = shared;
        this.ending = ending;
    }

    /**
     * {@return the same machine, where every process may use every processor}
     *
     * @param options for the virtual machine of each {@link #java}, before its own
     */
    public Host unpinned(List<String> options) {
        return new Host(directory, serversInC, indexSize, List.copyOf(options), false, processors, maxServers, shared,
                ending);
    }

    /**
     * Returns the same machine, on which a suite starts a part of its servers. Its trials of the other servers cannot
     * be measured.
     *
     * @param servers the maximum number of servers, the first ones
     */
    public Host startingAtMost(int servers) {
        return new Host(directory, serversInC, indexSize, ownOptions, pins, processors, servers, shared, ending);
    }

    /**
     * Returns the same machine, on which suites use one process where each would start its own.
     *
     * @param processes the processes by their class: a suite adds one that is missing, and the caller closes all
     */
    public Host sharing(Map<Class<?>, Closeable> processes) {
        return new Host(directory, serversInC, indexSize, ownOptions, pins, processors, maxServers, processes, ending);
    }

    /** {@return the processes that suites share, by their class; null if each suite starts its own} */
    public Map<Class<?>, Closeable> shared() {
        return shared;
    }

    /** {@return the maximum number of servers that a suite starts} */
    public int maxServers() {
        return maxServers;
    }

    /** {@return the directory of servers written in C, if it was given} */
    public Optional<Path> serversInC() {
        return Optional.ofNullable(serversInC);
    }

    /**
     * {@return the same machine, where an index that is searched has a given size}
     *
     * @param bytes the size
     */
    public Host withIndexSize(long bytes) {
        return new Host(directory, serversInC, bytes, ownOptions, pins, processors, maxServers, shared, ending);
    }

    /** {@return the size of an index to be searched, in bytes, if it was given} */
    public Optional<Long> indexSize() {
        return Optional.ofNullable(indexSize);
    }

    /** {@return the directory in which a suite may leave files of this run} */
    public Path directory() {
        return directory;
    }

    /**
     * {@return where a program is, if it is on the path or where systems keep servers}
     *
     * @param name of the program
     */
    public Optional<Path> find(String name) {
        List<Path> places = new ArrayList<>();
        for (String place : System.getenv().getOrDefault("PATH", "").split(java.io.File.pathSeparator)) {
            places.add(Path.of(place));
        }
        // Not on the path of every user.
        places.addAll(List.of(Path.of("/usr/sbin"), Path.of("/usr/local/sbin")));
        return places.stream().map(place -> place.resolve(name)).filter(Files::isExecutable).findFirst();
    }

    /** {@return the number of processors} */
    public int processors() {
        return processors;
    }

    /**
     * Puts what pins a process to one processor before its command, where there are two or more processors, and a
     * program for that.
     *
     * @param processor its number, from 0 on
     * @param command   the program and its arguments
     * @return what to start
     */
    public List<String> pinned(int processor, List<String> command) {
        if (!pins()) {
            unpinned.set(pins);
            return command;
        }
        List<String> pinned = new ArrayList<>(List.of(find(TASKSET).orElseThrow().toString(), "-c",
                Integer.toString(processor)));
        pinned.addAll(command);
        return pinned;
    }

    /** {@return the reason why no process was pinned; once, after pinning was requested} */
    Optional<String> takeUnpinned() {
        if (!unpinned.getAndSet(false)) {
            return Optional.empty();
        }
        return Optional.of("no process is pinned to a processor, contrary to the descriptions below: "
                + (processors > 1 ? "install taskset, of util-linux" : "there is only one processor"));
    }

    /** {@return how many processors a process has that is {@linkplain #pinned pinned}: all, where that cannot be} */
    public int processorsOfPinned() {
        return pins() ? 1 : processors();
    }

    private boolean pins() {
        return pins && find(TASKSET).isPresent() && processors() > 1;
    }

    /** {@return the options that everything that runs on Java is started with} */
    public static List<String> javaOptions() {
        List<String> options = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED"));
        if (Runtime.version().feature() >= ASKS_FOR_UNSAFE) {
            options.add("--sun-misc-unsafe-memory-access=allow");
        }
        return options;
    }

    /**
     * {@return the command that runs a class on this Java and its class path}
     *
     * @param options   for the virtual machine
     * @param main      the class
     * @param arguments of its main method
     */
    public List<String> java(List<String> options, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(javaOptions());
        command.addAll(ownOptions);
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    /**
     * Starts a process, which does not outlive this one.
     *
     * @param builder what to start
     * @return the process; the caller ends it
     * @throws IOException if it cannot be started, or this process is ending
     */
    public Process start(ProcessBuilder builder) throws IOException {
        if (ending.get()) {
            throw new IOException("not started, because the benchmarks are ending: " + builder.command().get(0));
        }
        return builder.start();
    }

    /** Ends every process that this one has started, and their descendants; no more can be started. */
    public void endAll() {
        ending.set(true);
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    }

    /** {@return whether {@link #endAll} has been called} */
    public boolean isEnding() {
        return ending.get();
    }
}
