package dev.sluice.wine;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Windows program that makes the calls. It ends with this process, however that ends, because its standard input
 * ends then.
 */
final class Win32Host {

    private static final Logger LOG = LoggerFactory.getLogger(Win32Host.class);

    /** System property: how long a call that cannot block may take. */
    static final String ANSWER_SECONDS = "sluice.wine.answer-seconds";

    private static final int LOAD_LIBRARY = 0;
    private static final int GET_PROC_ADDRESS = 8;
    private static final int READY = 16;
    private static final int SLOTS = 4096;
    private static final int HEAP = SLOTS + Slots.MOST * Slot.SIZE;

    private static final long START_SECONDS = 60;

    private final HostDirectory directory;
    private final SharedRegion region;
    private final Process process;
    private final Slots slots = new Slots(this::open);
    private final long answerSeconds = Long.getLong(ANSWER_SECONDS, 30);
    // Why no call works any more, or null.
    private volatile String end;

    private Win32Host(WineInstallation wine, HostDirectory directory, SharedRegion region) throws IOException {
        this.directory = directory;
        this.region = region;
        this.process = directory.inPrefix(wine.wine().toString(), directory.program().toString(),
                        "Z:" + region.path().replace('/', '\\'), Long.toHexString(SharedRegion.BASE),
                        Integer.toHexString(SharedRegion.SIZE), Integer.toHexString(SLOTS))
                .redirectError(directory.errors().toFile()).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    }

    /** Starts the host. */
    static Win32Host start(WineInstallation wine) throws IOException {
        Win32Host host = new Win32Host(wine, HostDirectory.create(wine), SharedRegion.map());
        host.awaitReady();
        LOG.debug("the Win32 host is process {}", host.process.pid());
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

    /**
     * {@return the slot of the calling thread}
     *
     * @throws HostFailure if there are too many threads
     */
    Slot slot() {
        return slots.own();
    }

    /** @throws HostFailure if no call works any more */
    void requireUsable(HostFunction function) {
        if (end != null) {
            throw new HostFailure(function + ": " + end);
        }
    }

    /**
     * Called now and then while waiting for an answer.
     *
     * @throws HostFailure if there will be none
     */
    void requireAnswers(HostFunction function, long waitedNanos) {
        if (!process.isAlive()) {
            end = "the Win32 host has ended, exit code " + process.exitValue() + errors();
        } else if (!function.mayBlock() && waitedNanos > TimeUnit.SECONDS.toNanos(answerSeconds)) {
            end = "the Win32 host has not answered for " + answerSeconds + " s" + errors();
            process.destroyForcibly();
        }
        requireUsable(function);
    }

    private Slot open(int number) {
        ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(0, number);
        try {
            OutputStream input = process.getOutputStream();
            input.write(word.array());
            input.flush();
        } catch (IOException e) {
            throw new HostFailure("the Win32 host serves no more threads" + errors(), e);
        }
        return new Slot(this, region.bytes(), SLOTS + number * Slot.SIZE);
    }

    private void awaitReady() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        boolean interrupted = false;
        while (!isReady()) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new IOException("the Win32 host does not start" + errors());
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

    // What the host has written to its standard error, for the end of a message.
    private String errors() {
        try {
            String errors = Files.readString(directory.errors()).strip();
            return errors.isEmpty() ? "" : ", standard error: " + errors;
        } catch (IOException e) {
            return ", standard error: " + e;
        }
    }
}
