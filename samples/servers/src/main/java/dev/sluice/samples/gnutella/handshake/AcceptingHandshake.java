package dev.sluice.samples.gnutella.handshake;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The accepting side. It speaks the version of the other side, at most 0.6. */
public final class AcceptingHandshake implements Handshake {

    private static final Pattern CONNECT = Pattern.compile("GNUTELLA CONNECT/(\\d{1,4})\\.(\\d{1,4})");
    private static final String OLD_OK = "GNUTELLA OK\n\n";

    private final HeadReader reader = new HeadReader();
    private final BooleanSupplier mayAccept;
    private final Supplier<List<InetSocketAddress>> others;
    /** What the other side has greeted in; null before that. */
    private Version version;
    /** The peer that has greeted in 0.6 and has been answered; null before that. */
    private Neighbour answered;

    /**
     * Waits for the other side.
     *
     * @param mayAccept tells whether there may be another neighbour
     * @param others    tells whom to try instead
     */
    public AcceptingHandshake(BooleanSupplier mayAccept, Supplier<List<InetSocketAddress>> others) {
        this.mayAccept = mayAccept;
        this.others = others;
    }

    @Override
    public ByteBuffer greeting() {
        return null;
    }

    @Override
    public Neighbour take(ByteBuffer bytes, Consumer<ByteBuffer> reply) throws RefusedException {
        Head head = reader.read(bytes);
        if (head == null) {
            return null;
        }
        if (answered != null) {
            Answer.parse(head).requireOk();
            return answered;
        }
        Matcher connect = CONNECT.matcher(head.firstLine());
        if (!connect.matches()) {
            throw new RefusedException(Status.BAD, "no greeting");
        }
        version = Version.understood(connect.group(1), connect.group(2));
        if (!mayAccept.getAsBoolean()) {
            throw new RefusedException(Status.BUSY, "no space for another neighbour");
        }
        if (version == Version.OLD) {
            reply.accept(HeadReader.bytes(OLD_OK));
            return Neighbour.SILENT;
        }
        answered = head.neighbour();
        reply.accept(Answer.ok());
        // The rest may have come with it.
        return take(bytes, reply);
    }

    @Override
    public ByteBuffer refusal(Status status) {
        return greetedIn() == Version.NEW ? Answer.refusal(status, others.get()) : null;
    }

    /** {@return the version, even if the greeting has not come to its end; null if it is none} */
    private Version greetedIn() {
        Matcher connect = CONNECT.matcher(reader.firstLine());
        return version == null && connect.matches() ? Version.understood(connect.group(1), connect.group(2)) : version;
    }
}
