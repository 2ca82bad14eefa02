package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.Execution;

/** How an operation of one kind is executed by Windows. Used only inside. */
abstract class Request<A extends Arguments> extends Execution<A> {

    final IocpDemultiplexer demultiplexer;

    Request(IocpDemultiplexer demultiplexer, A arguments) {
        super(arguments, demultiplexer.outcomes());
        this.demultiplexer = demultiplexer;
    }

    final long descriptor() {
        return operation.handleAssociation().descriptor();
    }
}
