package dev.sluice.demultiplexer.handleset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.epoll.EpollDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Slots and their generations. */
@EnabledOnOs(OS.LINUX)
class MemberTableTest {

    /** More than fit into the table at first. */
    private static final int MANY = 1_500;

    private static final class SomeMember extends KernelMember {

        SomeMember(KernelSetDemultiplexer demultiplexer, Handle handle) throws HandleClosedException {
            super(demultiplexer, handle, 0, null);
        }

        @Override
        protected void updateKernel() {
        }
    }

    private final List<SomeMember> members = new ArrayList<>();
    private MemberTable table;
    private Pipe pipe;
    private KernelSetDemultiplexer demultiplexer;

    @BeforeEach
    void open() throws IOException {
        demultiplexer = new EpollDemultiplexer("test", Trigger.LEVEL);
        pipe = Pipe.open();
        table = new MemberTable(Bindings.current().memory(), Long.BYTES);
    }

    @AfterEach
    void close() {
        members.forEach(SomeMember::releaseHandle);
        table.close();
        pipe.close();
        demultiplexer.close();
    }

    private SomeMember add() throws HandleClosedException {
        SomeMember member = new SomeMember(demultiplexer, pipe.source());
        members.add(member);
        assertTrue(table.add(member, Integer.MAX_VALUE));
        return member;
    }

    @Test
    void anEventLeadsToItsMember() throws Exception {
        for (int i = 0; i < MANY; i++) {
            add();
        }
        for (SomeMember each : members) {
            assertSame(each, table.find(each.eventData()));
        }
    }

    @Test
    void eventOfARemovedMemberFindsNoMember() throws Exception {
        SomeMember left = add();
        table.remove(left);
        SomeMember next = add();
        assertEquals(left.slot(), next.slot(), "the slot is not used again");
        assertNull(table.find(left.eventData()));
        assertSame(next, table.find(next.eventData()));
    }

    /** Otherwise its handle would stay open where a request has taken all memory. */
    @Test
    void allLeaveWithoutMemory() throws Exception {
        for (int i = 0; i < MANY; i++) {
            add();
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MANY; i++) {
            table.remove(members.get(i));
        }
        assertEquals(0, threads.getCurrentThreadAllocatedBytes() - before);
    }
}
