package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.CallMemory;
import dev.sluice.demultiplexer.operation.Execution;
import dev.sluice.demultiplexer.operation.Outcomes;

/** What an operation of one kind asks of Windows, and what the answers mean. Used only inside. */
abstract class Request<A extends Arguments> extends Execution {

    final IocpDemultiplexer demultiplexer;
    final A asked;

    Request(IocpDemultiplexer demultiplexer, A asked) {
        super(asked);
        this.demultiplexer = demultiplexer;
        this.asked = asked;
    }

    final Outcomes outcomes() {
        return demultiplexer.outcomes();
    }

    final CallMemory memory() {
        return operation.memory();
    }

    final long descriptor() {
        return operation.association().descriptor();
    }
}
