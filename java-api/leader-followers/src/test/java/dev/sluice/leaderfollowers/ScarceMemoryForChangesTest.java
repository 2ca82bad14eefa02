package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.Pipe;
import dev.sluice.reactor.Recorder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A call that lets a handle be reported again, or not be reported, takes a little of the heap, and there is none. */
@RunsOn(only = {"epoll", "epoll-one-shot"}, each = true)
class ScarceMemoryForChangesTest extends PoolContract {

    private final OutOfMemoryError lack = new OutOfMemoryError("thrown by the test");

    /** Or else it would stay silent forever, and its peer without an answer. */
    @Test
    void aHandleThatCannotBeRearmedOrDeactivatedEnds() throws Exception {
        FaultInjection faults = own(FaultInjection.install());
        LeaderFollowersPool poor = ownPool(openPool(PromotionOrder.LIFO));
        Pipe pipe = pipe();
        Recorder reader = reader("reader", pipe);
        reader.register(poor, Interest.READ);
        if (handleSet.demultiplexer().equals("epoll")) {
            // Before the hook it is deactivated.
            faults.throwNth("epoll_ctl", 1, lack);
        } else {
            reader.onInput(() -> faults.throwNth("epoll_ctl", 1, lack));
        }
        Pipe other = pipe();
        Recorder witness = reader("witness", other);
        Members members = own(new Members(poor, 2));
        send(pipe);
        OtherThread.await(() -> reader.called("close"));
        assertEquals(1, reader.failures().size());
        assertSame(lack, reader.failures().get(0));
        witness.register(poor, Interest.READ);
        send(other);
        OtherThread.await(() -> witness.received() == 1);
        assertEquals(List.of(), List.copyOf(members.failures()));
    }
}
