package dev.sluice.samples.oltp.command;

import java.util.Map;

/** The text of INFO, in Redis's form: sections of lines. */
public final class InfoText {

    private static final String LINE_END = "\r\n";

    private final String asked;
    private final StringBuilder text = new StringBuilder();

    /**
     * Begins the answer to a question.
     *
     * @param asked a section in lower case, or empty for what is of general interest
     */
    public InfoText(String asked) {
        this.asked = asked;
    }

    /**
     * Begins a section, if it is asked for.
     *
     * @param title   of the section, whose name is the same in lower case
     * @param general whether it is of general interest
     * @return whether its lines are wanted
     */
    public boolean begin(String title, boolean general) {
        boolean wanted = asked.equalsIgnoreCase(title)
                || general && (asked.isEmpty() || asked.equals("default") || asked.equals("all"));
        if (wanted) {
            text.append(text.isEmpty() ? "" : LINE_END).append("# ").append(title).append(LINE_END);
        }
        return wanted;
    }

    /**
     * Adds a line to the section that was begun last.
     *
     * @param name  its name
     * @param value what follows the colon
     */
    public void line(String name, Object value) {
        text.append(name).append(':').append(value).append(LINE_END);
    }

    /**
     * Adds lines to the section that was begun last.
     *
     * @param lines values by name
     */
    public void lines(Map<String, Object> lines) {
        lines.forEach(this::line);
    }

    /** {@return all sections, empty if none was asked for} */
    @Override
    public String toString() {
        return text.toString();
    }
}
