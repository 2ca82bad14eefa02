package dev.sluice.samples.dns;

import java.io.IOException;

/** A zone file or hosts file that cannot be understood; the message names the file and the line. */
final class ZoneProblem extends IOException {

    private static final long serialVersionUID = 1;

    ZoneProblem(String file, int line, String what) {
        super(file + (line > 0 ? ":" + line : "") + ": " + what);
    }
}
