package dev.sluice.bridge;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Windows program that makes the calls. It ends with this process, however that ends: its standard input ends then.
 */
final class Win32Host {

    private static final Logger LOG = LoggerFactory.getLogger(Win32Host.class);

    private static final int LOAD_LIBRARY = 0;
    private static final int GET_PROC_ADDRESS = 8;
    private static final int READY = 16;
    private static final int SLOTS = 4096;
    private static final int HEAP = SLOTS + Slots.MOST * Slot.SIZE;

    private static final long START_SECONDS = 60;
    private static final long ANSWER_SECONDS = 30;
    private static final long END_SECONDS = 10;

    private final WineInstallation wine;
    private final HostDirectory directory;
    private final SharedRegion region;
    private final Process process;
    private final Slots slots = new Slots(this::open);

    private Win32Host(WineInstallation wine, HostDirectory directory, SharedRegion region) throws IOException {
        this.wine = wine;
        this.directory = directory;
        this.region = region;
        ProcessBuilder builder = inPrefix(wine.wine().toString(), directory.program().toString(),
                "Z:" + region.path().replace('/', '\\'), Long.toHexString(SharedRegion.BASE),
                Integer.toHexString(SharedRegion.SIZE), Integer.toHexString(SLOTS));
        this.process = builder.redirectError(directory.errors().toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    }

    /** Starts the host; it and its files are gone when this process has ended. */
    static Win32Host start(WineInstallation wine) throws IOException {
        HostDirectory directory = HostDirectory.create(wine);
        Win32Host host = new Win32Host(wine, directory, SharedRegion.map());
        Runtime.getRuntime().addShutdownHook(new Thread(host::end, "end of the Win32 host"));
        host.awaitReady();
        LOG.debug("the Win32 host is process {}, in {}", host.process.pid(), directory.prefix());
        return host;
    }

    SharedHeap heap() {
        return new SharedHeap(region, HEAP);
    }

    HostFunction loadLibrary() {
        return new HostFunction(this, "LoadLibraryA", region.bytes().getLong(LOAD_LIBRARY), false);
    }

    HostFunction getProcAddress() {
        return new HostFunction(this, "GetProcAddress", region.bytes().getLong(GET_PROC_ADDRESS), false);
    }

    /** {@return the slot of the calling thread} */
    Slot slot() {
        return slots.own();
    }

    /** {@return how many threads of the host have been started} */
    int threads() {
        return slots.count();
    }

    /**
     * Called now and then while waiting for an answer.
     *
     * @throws HostFailure if there will be none
     */
    void requireAnswers(HostFunction function, long waitedNanos) {
        if (!process.isAlive()) {
            throw new HostFailure(function + ": the Win32 host has ended, exit code " + process.exitValue()
                    + ", standard error: '" + errors() + "'");
        }
        if (!function.mayBlock() && waitedNanos > TimeUnit.SECONDS.toNanos(ANSWER_SECONDS)) {
            throw new HostFailure(function + ": the Win32 host has not answered for " + ANSWER_SECONDS
                    + " seconds, standard error: '" + errors() + "'");
        }
    }

    private Slot open(int number) {
        ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(0, number);
        try {
            OutputStream input = process.getOutputStream();
            input.write(word.array());
            input.flush();
        } catch (IOException e) {
            HostFailure failure = new HostFailure("the Win32 host serves no more threads, standard error: '" + errors()
                    + "'");
            failure.initCause(e);
            throw failure;
        }
        return new Slot(this, region.bytes(), SLOTS + number * Slot.SIZE);
    }

    private void awaitReady() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        boolean interrupted = false;
        while (!isReady()) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new IOException("the Win32 host does not start, standard error: '" + errors() + "'");
            }
            try {
                process.waitFor(5, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isReady() {
        VarHandle.acquireFence();
        return region.bytes().getInt(READY) != 0;
    }

    private String errors() {
        try {
            return Files.readString(directory.errors()).strip();
        } catch (IOException e) {
            return "unreadable: " + e;
        }
    }

    private ProcessBuilder inPrefix(String... command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("WINEPREFIX", directory.prefix().toString());
        builder.environment().put("WINEARCH", "win64");
        builder.environment().put("WINEDEBUG", "-all");
        builder.environment().remove("DISPLAY");
        return builder;
    }

    // In a shutdown hook: nobody is left to whom a failure could be told but the log.
    private void end() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            // The server writes into the prefix until it ends.
            Process wait = inPrefix(wine.server().toString(), "-w").redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            if (!wait.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                wait.destroyForcibly();
            }
            directory.delete();
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("cannot remove the files of the Win32 host", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
