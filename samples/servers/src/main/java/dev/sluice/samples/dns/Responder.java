package dev.sluice.samples.dns;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;

/** Creates replies to queries (RFC 1035 sections 4.1 and 7.3). May be used by several threads concurrently. */
final class Responder {

    /** Maximum length of a reply, which no network has to fragment, according to DNS Flag Day 2020. */
    static final int LONGEST_REPLY = 1232;

    /** The default maximum length of a reply (section 2.3.4). */
    private static final int PLAIN_REPLY = 512;
    private static final int FLAGS = 2;
    private static final int COUNTS = 4;
    private static final int IS_REPLY = 0x8000;
    private static final int AUTHORITATIVE = 0x0400;
    private static final int TRUNCATED = 0x0200;
    /** The flags copied from the query: its kind, and whether recursion was desired. */
    private static final int ECHOED = 0x7900;
    private static final int OPCODE = 0x7800;
    private static final int INTERNET = ResourceRecord.INTERNET;
    private static final int ANY_CLASS = 255;
    /** An OPT record without options. */
    private static final int OPT_LENGTH = 11;
    /** BADVERS is 16: the upper bits of the code are in the OPT record (RFC 6891 section 6.1.3). */
    private static final int BAD_VERSION = 1 << 24;
    /** A pointer to the name of the question, which follows the header. */
    private static final short TO_QUESTION = (short) (0xC000 | Query.HEADER);

    private final Supplier<Names> names;
    private final QueryCounts counts;

    Responder(Supplier<Names> names, QueryCounts counts) {
        this.names = names;
        this.counts = counts;
    }

    /**
     * Creates a reply.
     *
     * @param message the received message, up to its limit; its position is changed
     * @param isCut   whether it was truncated
     * @param reply   receives the reply; has space for {@value #LONGEST_REPLY} octets
     * @return true if there is a reply; messages that are not queries get none
     */
    boolean respond(ByteBuffer message, boolean isCut, ByteBuffer reply) {
        if (message.limit() < Query.HEADER || (message.getShort(FLAGS) & IS_REPLY) != 0) {
            counts.dropped.increment();
            return false;
        }
        try {
            if (isCut) {
                throw new MalformedMessage("longer than any query");
            }
            if ((message.getShort(FLAGS) & OPCODE) != 0) {
                writeHeader(message, reply, ResponseCode.NOTIMP);
            } else {
                answer(message, Query.read(message), reply);
            }
            counts.answered.increment();
        } catch (MalformedMessage e) {
            writeHeader(message, reply.clear(), ResponseCode.FORMERR);
            counts.malformed.increment();
        }
        return true;
    }

    private static void writeHeader(ByteBuffer message, ByteBuffer reply, ResponseCode code) {
        int flags = IS_REPLY | message.getShort(FLAGS) & ECHOED | code.number();
        reply.putShort(message.getShort(0)).putShort((short) flags).putLong(0);
    }

    private void answer(ByteBuffer message, Query query, ByteBuffer reply) {
        boolean isKnownVersion = query.extension() == null || query.extension().version() == 0;
        Reply found = isKnownVersion ? find(query) : Reply.REFUSED;
        writeHeader(message, reply, isKnownVersion ? found.code() : ResponseCode.NOERROR);
        int limit = query.extension() == null ? PLAIN_REPLY
                : Math.max(PLAIN_REPLY, Math.min(query.extension().payload(), LONGEST_REPLY)) - OPT_LENGTH;
        reply.put(message.slice(Query.HEADER, query.end() - Query.HEADER));
        setCount(reply, 0, 1);
        boolean fits = writeRecords(query.name(), found.answers(), reply, limit)
                && writeRecords(query.name(), found.authority(), reply, limit);
        if (fits) {
            setCount(reply, 1, found.answers().size());
            setCount(reply, 2, found.authority().size());
        } else {
            // A part of the records could be taken for all of them.
            reply.position(query.end());
            addFlags(reply, TRUNCATED);
        }
        if (found.isAuthoritative()) {
            addFlags(reply, AUTHORITATIVE);
        }
        if (query.extension() != null) {
            reply.put((byte) 0).putShort((short) RecordType.OPT).putShort((short) LONGEST_REPLY);
            reply.putInt(isKnownVersion ? 0 : BAD_VERSION).putShort((short) 0);
            setCount(reply, 3, 1);
        }
    }

    private Reply find(Query query) {
        boolean isInternet = query.recordClass() == INTERNET || query.recordClass() == ANY_CLASS;
        return isInternet ? names.get().lookUp(query.name(), query.type()) : Reply.REFUSED;
    }

    private static boolean writeRecords(DomainName asked, List<ResourceRecord> records, ByteBuffer reply, int limit) {
        for (ResourceRecord record : records) {
            boolean isAsked = record.owner().equals(asked);
            int length = record.length() - (isAsked ? asked.length() - Short.BYTES : 0);
            if (reply.position() + length > limit) {
                return false;
            }
            if (isAsked) {
                reply.putShort(TO_QUESTION);
            } else {
                record.owner().writeTo(reply);
            }
            record.writeRest(reply);
        }
        return true;
    }

    private static void setCount(ByteBuffer reply, int section, int count) {
        reply.putShort(COUNTS + section * Short.BYTES, (short) count);
    }

    private static void addFlags(ByteBuffer reply, int flags) {
        reply.putShort(FLAGS, (short) (reply.getShort(FLAGS) | flags));
    }
}
