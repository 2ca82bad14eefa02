package dev.sluice.demultiplexer.iouring;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.Naming;

/** An operation on names, whose bytes the kernel reads while it executes the request. */
abstract class NameRequest<A extends Naming> extends FileRequest<A> {

    NameRequest(Requests requests, A arguments) {
        super(requests, arguments);
    }

    @Override
    final boolean prepare() {
        if (!super.prepare()) {
            return false;
        }
        if (arguments.putNames()) {
            return true;
        }
        finish(-Errno.ENAMETOOLONG.number());
        return false;
    }
}
