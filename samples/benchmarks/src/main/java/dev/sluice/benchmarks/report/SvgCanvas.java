package dev.sluice.benchmarks.report;

import java.awt.Dimension;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** A picture that becomes SVG. Text stays text, and numbers have as many digits as are visible. */
final class SvgCanvas {

    /** The width of all charts, which is that of a page of GitHub, so that text has the size that it is written in. */
    static final int WIDTH = 830;

    private static final String NAMESPACE = "http://www.w3.org/2000/svg";
    private static final int DECIMALS = 1;

    private final SVGGraphics2D graphics;
    private final int height;

    SvgCanvas(int height, Theme theme) {
        this.height = height;
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(document());
        context.setPrecision(DECIMALS);
        context.setComment(null);
        graphics = new SVGGraphics2D(context, false);
        graphics.setSVGCanvasSize(new Dimension(WIDTH, height));
        graphics.setPaint(theme.background());
        graphics.fillRect(0, 0, WIDTH, height);
    }

    private static Document document() {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().getDOMImplementation()
                    .createDocument(NAMESPACE, "svg", null);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException(e);
        }
    }

    Graphics2D graphics() {
        return graphics;
    }

    /** {@return the width of the longest of some texts, in pixels} */
    static int width(Font font, Iterable<String> texts) {
        FontMetrics metrics = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB)
                .createGraphics().getFontMetrics(font);
        int width = 0;
        for (String text : texts) {
            width = Math.max(width, metrics.stringWidth(text));
        }
        return width;
    }

    /** {@return the picture as text} */
    String text() {
        Element root = graphics.getRoot();
        root.setAttribute("viewBox", "0 0 " + WIDTH + " " + height);
        StringWriter text = new StringWriter();
        try {
            graphics.stream(root, text, true, false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
