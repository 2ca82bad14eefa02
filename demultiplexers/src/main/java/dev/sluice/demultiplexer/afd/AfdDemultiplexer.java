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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A handle set that is a completion port and a poll request for each handle. Each change to the set is a system call,
 * which any thread may make.
 */
public final class AfdDemultiplexer extends KernelSetDemultiplexer {

    private static final Logger LOG = LoggerFactory.getLogger(AfdDemultiplexer.class);

    /** The maximum time that the close waits for a cancelled request, which normally completes within microseconds. */
    private static final long CLOSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int LAST_PACKETS = 64;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Allocated in advance, because there may be no memory during the close. */
    private final MemoryBlock lastPackets;
    private final Windows windows = Bindings.current().windows();
    private final CompletionPort port;
    private final AfdDriver driver;
    /** The number of requests whose packets have not been taken. */
    private final AtomicInteger requests = new AtomicInteger();
    /**
     * The members that the last wait of a level-triggered set has reported; used by the waiter. With an explicit
     * capacity: without one, {@code ensureCapacity} does not allocate space for the first ten.
     */
    private final ArrayList<AfdMember> reported = new ArrayList<>(1);
    private final PendingSignal wakeUpPending = new PendingSignal();
    private final Runnable wakeUp = this::postWakeUp;
    /** Whether the next wait pauses, because a poll request was refused. */
    private volatile boolean pollRefused;
    private final CloseSteps disposal;
    private boolean allPacketsTaken;

    /**
     * Opens a demultiplexer with an empty set.
     *
     * @param name    the name by which the demultiplexer was chosen
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

    // Called by members

    /**
     * Starts the request at an address. One packet with the given identifier follows.
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
     * Queues a packet for a request that the driver has refused.
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

    /** Called when the packet of a request has been taken. */
    void completed() {
        requests.decrementAndGet();
    }

    /**
     * Cancels the request at an address, which may have completed already.
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

    /** Called when the driver has refused a poll request. */
    void pollRefused() {
        pollRefused = true;
    }

    @Override
    protected KernelMember newMember(Handle handle, int events, @Nullable Object attachment) throws IOException {
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
        if (trigger() == Trigger.LEVEL) {
            // Before packets are taken: a member whose packet is lost would never be polled again.
            reported.ensureCapacity(batch.limit());
        }
        pauseAfterRefusal(timeoutNanos);
        return port.await(batch.memory(), batch.limit(), timeoutNanos);
    }

    private void pollReported() throws IOException {
        for (int i = 0; i < reported.size(); i++) {
            reported.get(i).pollAgain();
        }
        reported.clear();
    }

    /**
     * Pauses after a refusal. The handle of a refused request is reported immediately, so a loop would otherwise spin
     * until there is memory.
     */
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
            // A request that has been issued again may already have completed, so it is collected even after the
            // timeout.
            left = lookAgain ? port.await(batch.memory(), batch.limit(), 0) : 0;
            if (left < 0) {
                requireInterrupted(left);
            }
        }
        return false;
    }

    /** {@return whether the member's request has been issued again} */
    private boolean completed(@Nullable AfdMember member, ReadyBatch batch) {
        // A member stays in the table until its request has completed.
        assert member != null;
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
            // First, because the port is needed again if there is no memory for this step.
            freeTable();
            allPacketsTaken = true;
        }
        disposal.run();
    }

    private void freeTable() {
        if (takeAllPackets()) {
            table.close();
        } else {
            LOG.warn("{}: cancelled requests have not completed; their memory is leaked", name());
        }
    }

    /** {@return whether all requests have completed, so that the system no longer writes to their memory} */
    private boolean takeAllPackets() {
        // The memory of a packet has space for the IO_STATUS_BLOCK of this call, and is not in use yet.
        driver.cancelAll(PacketArray.address(lastPackets));
        int found = 1;
        while (found > 0 && requests.get() > 0) {
            found = port.await(lastPackets, LAST_PACKETS, CLOSE_TIMEOUT_NANOS);
            for (int i = 0; i < found; i++) {
                long identifier = PacketArray.identifier(lastPackets, i);
                if (identifier != WAKE_UP) {
                    AfdMember member = (AfdMember) table.find(identifier);
                    assert member != null;
                    member.ended();
                }
            }
        }
        return requests.get() == 0;
    }
}
