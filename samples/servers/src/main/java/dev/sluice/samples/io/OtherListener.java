package dev.sluice.samples.io;

import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.server.OptionValues;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An additional port of the same server, with strategies of its own.
 *
 * @param port        the port, 0 for any free one
 * @param concurrency which thread serves which connection, and thus which way octets move
 * @param fileIo      how files travel; null if they do as at the first port
 */
record OtherListener(int port, ConcurrencyStrategy concurrency, FileIo fileIo) {

    /** {@return whether it has a pool of threads, whose number can change at any time} */
    boolean hasPool() {
        return concurrency.fixedThreads() == null;
    }

    /** Understands for example {@code 8081=thread-per-connection/mmap}. */
    static final class Converter implements ITypeConverter<OtherListener> {

        private static final Pattern FORM = Pattern.compile("(\\d{1,5})=([^/]*)(?:/(.*))?");

        @Override
        public OtherListener convert(String text) {
            Matcher matcher = FORM.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException("expected PORT=STRATEGY or PORT=STRATEGY/WAY, but was '" + text
                        + "'");
            }
            return new OtherListener(Integer.parseInt(matcher.group(1)),
                    OptionValues.named(ConcurrencyStrategy.class, matcher.group(2)),
                    matcher.group(3) == null ? null : OptionValues.named(FileIo.class, matcher.group(3)));
        }
    }
}
