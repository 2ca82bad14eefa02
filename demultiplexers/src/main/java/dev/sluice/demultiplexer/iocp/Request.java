package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.Execution;

/** What an operation of one kind asks of Windows, and what the answers mean. Used only inside. */
abstract class Request<A extends Arguments> extends Execution<A> {

    final IocpDemultiplexer demultiplexer;

    Request(IocpDemultiplexer demultiplexer, A asked) {
        super(asked, demultiplexer.outcomes());
        this.demultiplexer = demultiplexer;
    }

    final long descriptor() {
        return operation.association().descriptor();
    }
}
