package dev.sluice.demultiplexer.afd;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.demultiplexer.handleset.KernelMember;
import dev.sluice.demultiplexer.handleset.KernelSetDemultiplexer;
import dev.sluice.demultiplexer.handleset.PendingSignal;
import dev.sluice.demultiplexer.handleset.SocketsOnly;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A completion port and poll requests. Every change to the set is a system call, so any thread may make it. */
public final class AfdDemultiplexer extends KernelSetDemultiplexer {

    private static final Logger LOG = LoggerFactory.getLogger(AfdDemultiplexer.class);

    /** How long the close waits for a cancelled request, which normally completes almost at once. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int LAST_PACKETS = 64;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Allocated ahead, so that the close finds memory. */
    private final MemoryBlock lastPackets;
    private final Windows windows = Bindings.current().windows();
    private final CompletionPort port;
    private final AfdDriver driver;
    /** Number of requests whose packets have not been taken. */
    private final AtomicInteger requests = new AtomicInteger();
    /** What the last wait of a level-triggered set has reported; used by the waiter. */
    private final List<AfdMember> reported = new ArrayList<>();
    private final PendingSignal wakeUpPending = new PendingSignal();
    private final Runnable wakeUp = this::postWakeUp;
    /** Whether the next wait pauses, as a poll was refused. */
    private volatile boolean pollRefused;
    private final CloseSteps disposal;
    private boolean allPacketsTaken;

    /**
     * Opens it with an empty set.
     *
     * @param name    the name by which it was chosen
     * @param trigger {@link Trigger#LEVEL} for an iterative set, {@link Trigger#ONE_SHOT} for a concurrent one
     * @throws IOException if the system refuses
     */
    public AfdDemultiplexer(String name, Trigger trigger) throws IOException {
        super(name, trigger, "GetQueuedCompletionStatusEx", AfdPollInfo.SIZE);
        if (trigger == Trigger.EDGE) {
            throw new IllegalArgumentException(name + ": poll requests cannot be edge-triggered");
        }
        Binding binding = Bindings.current();
        this.lastPackets = binding.memory().allocate(PacketArray.bytes(LAST_PACKETS));
        CompletionPort openedPort = null;
        AfdDriver openedDriver = null;
        try {
            openedPort = new CompletionPort(windows, name, 0);
            this.port = openedPort;
            openedDriver = new AfdDriver(binding, name, port);
            this.driver = openedDriver;
            this.disposal = new CloseSteps(driver::close, port::close, lastPackets::close);
        } catch (Throwable e) {
            if (openedDriver != null) {
                openedDriver.close();
            }
            if (openedPort != null) {
                openedPort.close();
            }
            lastPackets.close();
            throw e;
        }
    }

    // For its members

    /**
     * Starts the request at an address. One packet with this identifier will report it.
     *
     * @return whether it was started
     */
    boolean start(long request, long identifier) {
        boolean started = false;
        requests.incrementAndGet();
        try {
            started = driver.poll(request, identifier) >= 0;
        } finally {
            if (!started) {
                completed();
            }
        }
        return started;
    }

    /**
     * Queues the packet of a request that the driver has refused.
     *
     * @throws UncheckedIOException if the system has no memory for it
     */
    void postInstead(long identifier) {
        boolean posted = false;
        requests.incrementAndGet();
        try {
            port.post(identifier);
            posted = true;
        } finally {
            if (!posted) {
                completed();
            }
        }
        pollRefused();
    }

    /** The packet of a request has been taken. */
    void completed() {
        requests.decrementAndGet();
    }

    /**
     * Makes the request at an address complete soon; it may have completed already.
     *
     * @throws UncheckedIOException if the system refuses
     */
    void cancel(long request) {
        int status = driver.cancel(request);
        int error = status < 0 ? windows.RtlNtStatusToDosError(status) : 0;
        if (error != 0 && error != WindowsError.ERROR_NOT_FOUND) {
            throw new UncheckedIOException(
                    new SystemCallException("NtCancelIoFileEx", name(), WindowsError.toErrno(-error)));
        }
    }

    /** The driver has refused a poll. */
    void pollRefused() {
        pollRefused = true;
    }

    @Override
    protected KernelMember newMember(Handle handle, int events, Object attachment) throws IOException {
        SocketsOnly.require(name(), handle);
        return new AfdMember(this, handle, events, attachment);
    }

    @Override
    protected int eventBytes(int capacity) {
        return PacketArray.bytes(capacity);
    }

    @Override
    protected int call(ReadyBatch batch, long timeoutNanos) throws IOException {
        pollReported();
        pauseAfterRefusal(timeoutNanos);
        return port.await(batch.memory(), batch.limit(), timeoutNanos);
    }

    private void pollReported() throws IOException {
        for (int i = 0; i < reported.size(); i++) {
            reported.get(i).pollAgain();
        }
        reported.clear();
    }

    /** The handle of a refused poll is reported at once: without a pause the loop would spin until there is memory. */
    private void pauseAfterRefusal(long timeout) {
        if (pollRefused) {
            pollRefused = false;
            if (timeout != 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    @Override
    protected boolean collect(ReadyBatch batch, int found) throws IOException {
        for (int left = found; left > 0;) {
            boolean lookAgain = false;
            boolean wokenUp = false;
            for (int i = 0; i < left; i++) {
                long identifier = PacketArray.identifier(batch.memory(), i);
                if (identifier == WAKE_UP) {
                    wokenUp = true;
                } else {
                    lookAgain |= completed((AfdMember) table.find(identifier), batch);
                }
            }
            if (wokenUp) {
                wakeUpPending.taken();
                requireOpen();
            }
            if (wokenUp || batch.size() > 0) {
                return true;
            }
            // A request that has been issued again may already have completed, even if the time is over.
            left = lookAgain ? port.await(batch.memory(), batch.limit(), 0) : 0;
            if (left < 0) {
                requireInterrupted(left);
            }
        }
        return false;
    }

    /** {@return whether the member's request has been issued again} */
    private boolean completed(AfdMember member, ReadyBatch batch) {
        AfdMember.Outcome outcome = member.completed(batch);
        if (outcome == AfdMember.Outcome.REPORTED && trigger() == Trigger.LEVEL) {
            reported.add(member);
        }
        return outcome == AfdMember.Outcome.POLLED_AGAIN;
    }

    @Override
    public void wakeUp() {
        wakeUpPending.give(wakeUp);
    }

    private void postWakeUp() {
        if (enter()) {
            try {
                port.post(WAKE_UP);
            } finally {
                leave();
            }
        }
    }

    @Override
    protected void endWaits() {
        port.post(WAKE_UP);
    }

    @Override
    protected void dispose() {
        if (!allPacketsTaken) {
            // If there is no memory for it, the port is needed once more.
            freeTable();
            allPacketsTaken = true;
        }
        disposal.run();
    }

    private void freeTable() {
        if (takeAllPackets()) {
            table.close();
        } else {
            LOG.warn("{}: requests that were cancelled have not completed; their memory is kept for them", name());
        }
    }

    /** {@return whether no request is left, so that the system will no longer write to their memory} */
    private boolean takeAllPackets() {
        // A packet is larger than the IO_STATUS_BLOCK of this call, and none has come yet.
        driver.cancelAll(PacketArray.address(lastPackets));
        int found = 1;
        while (found > 0 && requests.get() > 0) {
            found = port.await(lastPackets, LAST_PACKETS, PATIENCE_NANOS);
            for (int i = 0; i < found; i++) {
                long identifier = PacketArray.identifier(lastPackets, i);
                if (identifier != WAKE_UP) {
                    ((AfdMember) table.find(identifier)).ended();
                }
            }
        }
        return requests.get() == 0;
    }
}
