package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_LINKAT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_MKDIRAT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_RENAMEAT;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_UNLINKAT;

import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.LinuxFileConstants;
import dev.sluice.demultiplexer.operation.Naming;

/** Creates, changes or removes names in directories. */
final class Names extends NameRequest<Naming> {

    private final int opcode;
    private final int flags;

    Names(Requests requests, Naming arguments) {
        super(requests, arguments);
        opcode = switch (arguments.type()) {
            case LINK -> IORING_OP_LINKAT;
            case DELETE, DELETE_DIRECTORY -> IORING_OP_UNLINKAT;
            case CREATE_DIRECTORY -> IORING_OP_MKDIRAT;
            default -> IORING_OP_RENAMEAT;
        };
        flags = switch (arguments.type()) {
            case RENAME_UNLESS_EXISTS -> LinuxFileConstants.RENAME_NOREPLACE;
            case EXCHANGE -> LinuxFileConstants.RENAME_EXCHANGE;
            case DELETE_DIRECTORY -> FileConstants.AT_REMOVEDIR;
            default -> 0;
        };
    }

    @Override
    boolean isForRing() {
        return requests.features.has(opcode);
    }

    @Override
    void perform() {
        if (opcode == IORING_OP_RENAMEAT || opcode == IORING_OP_LINKAT) {
            set(opcode, arguments.descriptor(), arguments.newNameAddress(), arguments.address(),
                    arguments.targetDescriptor(), flags);
        } else {
            // Only a new directory has a mode.
            set(opcode, arguments.descriptor(), 0, arguments.address(), arguments.mode(), flags);
        }
    }
}
