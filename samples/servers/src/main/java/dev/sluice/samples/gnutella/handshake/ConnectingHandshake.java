package dev.sluice.samples.gnutella.handshake;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** The side that has connected. */
public final class ConnectingHandshake implements Handshake {

    private static final String OLD_OK = "GNUTELLA OK";

    private final HeadReader reader = new HeadReader();
    private final Version version;

    /**
     * Begins.
     *
     * @param version to speak
     */
    public ConnectingHandshake(Version version) {
        this.version = version;
    }

    @Override
    public ByteBuffer greeting() {
        String connect = "GNUTELLA CONNECT/" + version;
        return HeadReader.bytes(version == Version.OLD ? connect + "\n\n"
                : connect + Head.END + Answer.ABOUT_US + Head.END);
    }

    @Override
    public Neighbour take(ByteBuffer bytes, Consumer<ByteBuffer> reply) throws RefusedException {
        Head head = reader.read(bytes);
        if (head == null) {
            return null;
        }
        if (head.firstLine().equals(OLD_OK)) {
            return Neighbour.SILENT;
        }
        if (version == Version.OLD) {
            throw new RefusedException(Status.BAD, "no answer to a greeting");
        }
        Answer.parse(head).requireOk();
        reply.accept(Answer.agreement());
        return head.neighbour();
    }

    /** {@return null: only who was connected to refuses} */
    @Override
    public ByteBuffer refusal(Status status) {
        return null;
    }
}
