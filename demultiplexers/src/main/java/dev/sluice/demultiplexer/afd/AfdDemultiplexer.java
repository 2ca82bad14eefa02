package dev.sluice.demultiplexer.afd;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.handleset.KernelMember;
import dev.sluice.demultiplexer.handleset.KernelSetDemultiplexer;
import dev.sluice.demultiplexer.handleset.PendingSignal;
import dev.sluice.demultiplexer.handleset.SocketsOnly;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.Handle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A completion port and poll requests. Every change to the set is a system call, so any thread may make it. */
public final class AfdDemultiplexer extends KernelSetDemultiplexer {

    private static final Logger LOG = LoggerFactory.getLogger(AfdDemultiplexer.class);

    /** How long the close waits for a cancelled request, which normally completes almost at once. */
    private static final int PATIENCE_MILLIS = 10_000;

    private static final int LAST_PACKETS = 64;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Allocated ahead, so that the close finds memory. */
    private final MemoryBlock lastPackets;
    private final AfdDevice device;
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
        AfdDevice opened = null;
        try {
            opened = new AfdDevice(binding, name);
            this.device = opened;
            this.disposal = new CloseSteps(device::close, lastPackets::close);
        } catch (Throwable e) {
            if (opened != null) {
                opened.close();
            }
            lastPackets.close();
            throw e;
        }
    }

    AfdDevice device() {
        return device;
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
        return device.await(batch.memory(), batch.limit(), Timeout.millis(timeoutNanos));
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

    /** The driver has refused a poll. */
    void pollRefused() {
        pollRefused = true;
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
            left = lookAgain ? device.await(batch.memory(), batch.limit(), 0) : 0;
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
                device.post(WAKE_UP);
            } finally {
                leave();
            }
        }
    }

    @Override
    protected void endWaits() {
        device.post(WAKE_UP);
    }

    @Override
    protected void dispose() {
        if (!allPacketsTaken) {
            // If there is no memory for it, the device is needed once more.
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
        device.cancelAll(PacketArray.address(lastPackets));
        int found = 1;
        while (found > 0 && device.hasRequests()) {
            found = device.await(lastPackets, LAST_PACKETS, PATIENCE_MILLIS);
            for (int i = 0; i < found; i++) {
                long identifier = PacketArray.identifier(lastPackets, i);
                if (identifier != WAKE_UP) {
                    ((AfdMember) table.find(identifier)).ended();
                }
            }
        }
        return !device.hasRequests();
    }
}
